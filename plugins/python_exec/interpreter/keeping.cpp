#include "interpreter/driver.hpp"

namespace python_exec {

// The first part of the driver: passes variables from one call to the next. The pickle comes from a
// process like this one and goes to the next, in the same sandbox: forging it gains nothing that
// the code could not do anyway.
const char* const kKeeping = R"python(
import ast, atexit, collections, enum, importlib, io, json, linecache, marshal, os, pickle
import resource, sys, threading, traceback, types

REPORT = 3
NAME = '_python_exec'  # where a pickle finds this file's functions: __main__ is the user's
HIDDEN = {'__name__', '__builtins__', '__doc__', '__loader__', '__package__', '__spec__',
          '__warningregistry__', 'input_data'}
os.set_inheritable(REPORT, False)
sys.modules[NAME] = sys.modules['__main__']
__name__ = NAME
user = types.ModuleType('__main__')
sys.modules['__main__'] = user
main_process = os.getpid()
first_path = list(sys.path)
nothing = object()
missing = []  # errors of values that could not be restored


# No module contains the functions and classes of the user's code, so their parts are pickled. An
# empty one is created first and filled later, since its content may refer to it.
def make_function(code, name, cells):
    return types.FunctionType(marshal.loads(code), user.__dict__, name, None,
                              tuple(types.CellType() for _ in range(cells)))


def fill_function(function, state):
    cells, attributes = state
    for cell, held in zip(function.__closure__ or (), cells):
        if held:
            cell.cell_contents = held[0]
    for name, value in attributes.items():
        setattr(function, name, value)


def make_class(meta, name, bases, first):
    content = meta.__prepare__(name, bases)
    for key, value in first.items():  # one by one: an enum handles each as it is set
        content[key] = value
    return meta(name, bases, content)


def make_namedtuple(name, fields, module):
    return collections.namedtuple(name, fields, module=module)


def make_proxy(content):
    return types.MappingProxyType(content)


def fill_class(made, state):
    for name, value in state.items():
        setattr(made, name, value)


def held(cell):
    try:
        return (cell.cell_contents,)
    except ValueError:
        return ()


def reduce_function(f):
    names = ('__defaults__', '__kwdefaults__', '__dict__', '__doc__', '__annotations__',
             '__qualname__', '__module__')
    cells = f.__closure__ or ()
    return (make_function, (marshal.dumps(f.__code__), f.__name__, len(cells)),
            ([held(c) for c in cells], {n: getattr(f, n) for n in names}), None, None,
            fill_function)


def is_users(value):
    return getattr(value, '__module__', None) == '__main__'


def reduce_class(c):
    """Leaves out what the metaclass creates again from `first`."""
    skip = {'__dict__', '__weakref__', '__module__', '__name__', '__slots__', '_abc_impl'}
    content = {n: v for n, v in vars(c).items() if n not in skip
               and not isinstance(v, (types.MemberDescriptorType, types.GetSetDescriptorType))}
    first = {n: vars(c)[n] for n in ('__module__', '__slots__') if n in vars(c)}
    if c.__bases__ == (tuple,) and '_fields' in content:
        made = vars(make_namedtuple('made', c._fields, '__main__'))
        again = {'__doc__', '__qualname__', '_field_defaults', '__annotations__'}
        content = {n: v for n, v in content.items() if n not in made or n in again or is_users(v)}
        values = {'__defaults__': c.__new__.__defaults__}
        return (make_namedtuple, (c.__name__, c._fields, '__main__'), (content, values), None, None,
                fill_namedtuple)
    if is_typed_dict(c):
        return reduce_typed_dict(c, first, content)
    if isinstance(c, enum.EnumMeta):
        first.update((n, m.value) for n, m in c.__members__.items())
        content = {n: v for n, v in content.items() if n not in first and is_of_enum(n, v)}
    if '__orig_bases__' in content:  # Generic requires it when a class is created
        first['__orig_bases__'] = content.pop('__orig_bases__')
    content = {n: v for n, v in content.items() if not is_of_protocol(c, n, v)}
    return make_class, (type(c), c.__name__, c.__bases__, first), content, None, None, fill_class


def fill_namedtuple(made, state):
    fill_class(made, state[0])
    made.__new__.__defaults__ = state[1]['__defaults__']


def is_of_enum(name, value):
    """Whether the user defined it, and EnumMeta does not add it to every class."""
    if name[0] == '_' and name[:2] != '__' and name[-1] == '_':
        return False
    return name == '__doc__' or name == '__qualname__' or name[:2] != '__' or is_users(value)


def sentinel_of(value):
    """Dataclasses compare some objects by identity, so they are found again by name."""
    known = sys.modules.get('dataclasses')
    for name in ('MISSING', 'KW_ONLY', '_FIELD', '_FIELD_CLASSVAR', '_FIELD_INITVAR',
                 '_HAS_DEFAULT_FACTORY'):
        if known is not None and getattr(known, name, nothing) is value:
            return getattr, (known, name)
    return None


class Lost:
    """Replaces a value that cannot be restored; values that contain it are lost too."""
    def __init__(self, *_, **__):
        pass

    def __setstate__(self, _):
        pass


def restore_module(name):
    try:
        return importlib.import_module(name)
    except BaseException as problem:
        return lost_class(problem)()


def lost_class(problem):
    missing.append(problem)
    return type('Lost', (Lost,), {'why': '%s: %s' % (type(problem).__name__, problem)})


class SessionPickler(pickle.Pickler):
    def reducer_override(self, value):
        if isinstance(value, Lost) or isinstance(value, type) and issubclass(value, Lost):
            raise pickle.PicklingError(getattr(value, 'why', 'it could not be restored'))
        if isinstance(value, types.ModuleType):
            if value is user or value.__name__ not in sys.modules:
                raise pickle.PicklingError('a module that cannot be imported')
            return restore_module, (value.__name__,)
        if isinstance(value, types.FunctionType) and is_users(value):
            return reduce_function(value)
        if isinstance(value, type) and is_users(value):
            return reduce_class(value)
        if isinstance(value, types.MappingProxyType):
            return make_proxy, (dict(value),)
        if isinstance(value, (property, classmethod, staticmethod)):
            parts = ((value.fget, value.fset, value.fdel) if isinstance(value, property)
                     else (value.__func__,))
            return type(value), parts
        return reduce_typing(value) or sentinel_of(value) or NotImplemented


class SessionUnpickler(pickle.Unpickler):
    def find_class(self, module, name):
        try:
            return super().find_class(module, name)
        except BaseException as problem:
            return lost_class(problem)


def pickled(value):
    out = io.BytesIO()
    SessionPickler(out, 5).dump(value)
    return out.getvalue()


def tested_pickle(value):
    """A pickle that was loaded once as a test: a class can refuse to be created again."""
    out = pickled(value)
    pickled(SessionUnpickler(io.BytesIO(out)).load())
    return out


def without_lost(variables, lost):
    """Pickles the variables together if possible, since they may share objects. An exception of the
    user's classes, even SystemExit, only means that a variable is lost."""
    try:
        return tested_pickle(variables)
    except BaseException:
        pass
    for name in list(variables):
        try:
            tested_pickle(variables[name])
        except BaseException as problem:
            lost[name] = '%s: %s' % (type(variables.pop(name)).__name__, str(problem)[:200])
    try:
        return tested_pickle(variables)
    except BaseException as problem:
        lost.update((name, str(problem)[:200]) for name in variables)
        variables.clear()
        return pickled(variables)


def keep(most):
    """The variables as a pickle, their names, and those that cannot be kept."""
    kept = {n: v for n, v in vars(user).items() if n not in HIDDEN}
    lost = {}
    path = [p for p in sys.path if isinstance(p, str) and p not in first_path]
    state = pickled(path) + without_lost(kept, lost)
    if len(state) > most:
        lost = {n: 'all variables together take %d bytes, %d are allowed' % (len(state), most)
                for n in kept}
        return b'', [], lost
    return state, sorted(kept), lost


def restore(state):
    """Restores variables of an earlier call; returns those that are lost, and why."""
    lost = {}
    stream = io.BytesIO(state)
    try:
        sys.path[:0] = pickle.load(stream)
        variables = SessionUnpickler(stream).load()
    except BaseException as problem:  # then the session begins anew
        return {'(all of earlier calls)': '%s: %s' % (type(problem).__name__, str(problem)[:200])}
    if missing:  # only then: it takes as long as keeping them
        without_lost(variables, lost)
    vars(user).update(variables)
    return lost
)python";

}  // namespace python_exec
