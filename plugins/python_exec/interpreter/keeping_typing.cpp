#include "interpreter/driver.hpp"

namespace python_exec {

// The second part: what the typing module adds to classes, and annotations.
const char* const kKeepingTyping = R"python(
def make_type_variable(module, kind, name, constraints, options):
    return getattr(importlib.import_module(module), kind)(name, *constraints, **options)


def make_forward(module, kind, text, options):
    return getattr(importlib.import_module(module), kind)(text, **options)


def make_typed_dict(meta, name, bases, content, total):
    return meta(name, bases, content, total=total)


def is_typed_dict(c):
    return type(c).__name__ == '_TypedDictMeta'


def reduce_typed_dict(c, first, content):
    """Its metaclass adds the base dict itself and does not accept it. Its annotations of all keys,
    inherited ones too, are set again afterwards."""
    bases = tuple(b for b in c.__bases__ if b is not dict)
    for name in ('__annotations__', '__orig_bases__'):
        if name in content:
            first[name] = content[name]
    first['__annotations__'] = dict(first.get('__annotations__', {}))
    return (make_typed_dict, (type(c), c.__name__, bases, first, c.__total__), content, None, None,
            fill_class)


def is_of_protocol(c, name, value):
    """Whether typing.Protocol added it, and will add it again."""
    return (hasattr(c, '_is_protocol') and name in ('__init__', '__subclasshook__')
            and not is_users(getattr(value, '__func__', value)))


def reduce_typing(value):
    """Pickle finds type variables by name in a module; here no module has them."""
    kind = type(value)
    if kind.__module__ not in ('typing', 'typing_extensions'):
        return None
    if kind.__name__ in ('TypeVar', 'ParamSpec', 'TypeVarTuple') and is_users(value):
        options = {o: getattr(value, '__%s__' % o) for o in ('bound', 'covariant', 'contravariant')
                   if getattr(value, '__%s__' % o, None)}
        return (make_type_variable, (kind.__module__, kind.__name__, value.__name__,
                                     getattr(value, '__constraints__', ()), options),
                {'__module__': '__main__'}, None, None, fill_class)
    if kind.__name__ == 'ForwardRef':
        options = {'is_argument': value.__forward_is_argument__,
                   'module': getattr(value, '__forward_module__', None),
                   'is_class': getattr(value, '__forward_is_class__', False)}
        return make_forward, (kind.__module__, kind.__name__, value.__forward_arg__, options)
    return None
)python";

}  // namespace python_exec
