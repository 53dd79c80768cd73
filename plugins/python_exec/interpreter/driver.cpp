#include "interpreter/driver.hpp"

namespace python_exec {

// On stdin: a line of JSON with the sizes of what follows it, then the code, the input (JSON) and
// the variables of earlier calls (a pickle). On descriptor 3, in the end: a line of JSON, then the
// variables to keep. The pickle comes from such a process as this one and goes to the next, in the
// same sandbox: whoever forges it gains nothing that his code could not do anyway.
const char* const kDriver = R"python(
import ast, atexit, importlib, io, json, linecache, marshal, os, pickle, resource, sys, threading
import traceback, types

REPORT = 3
NAME = '_python_exec'  # where a pickle finds this file's functions: __main__ is the user's
HIDDEN = {'__name__', '__builtins__', '__doc__', '__loader__', '__package__', '__spec__',
          'input_data'}
os.set_inheritable(REPORT, False)
sys.modules[NAME] = sys.modules['__main__']
__name__ = NAME
user = types.ModuleType('__main__')
sys.modules['__main__'] = user
main_process = os.getpid()
nothing = object()


# Functions and classes of the user's code are kept as what they are made of, since no module has
# them. First an empty one, then its content: they may refer to themselves.
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


def make_class(meta, name, bases, module):
    return meta(name, bases, {'__module__': module})


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


def reduce_class(c):
    skip = ('__dict__', '__weakref__', '__module__', '__name__')
    return (make_class, (type(c), c.__name__, c.__bases__, c.__module__),
            {n: v for n, v in vars(c).items() if n not in skip}, None, None, fill_class)


class Keeper(pickle.Pickler):
    def reducer_override(self, value):
        if isinstance(value, types.ModuleType):
            if value is user or value.__name__ not in sys.modules:
                raise pickle.PicklingError('a module that cannot be imported')
            return importlib.import_module, (value.__name__,)
        if isinstance(value, types.FunctionType) and value.__module__ == '__main__':
            return reduce_function(value)
        if isinstance(value, type) and value.__module__ == '__main__':
            return reduce_class(value)
        if isinstance(value, (property, classmethod, staticmethod)):
            parts = ((value.fget, value.fset, value.fdel) if isinstance(value, property)
                     else (value.__func__,))
            return type(value), parts
        return NotImplemented


def pickled(value):
    out = io.BytesIO()
    Keeper(out, 5).dump(value)
    return out.getvalue()


def keep(most):
    """The variables as a pickle, their names, and those that cannot be kept."""
    kept = {n: v for n, v in vars(user).items() if n not in HIDDEN}
    lost = {}
    try:
        state = pickled(kept)
    except Exception:
        for name in list(kept):
            try:
                pickled(kept[name])
            except Exception as problem:
                lost[name] = type(kept.pop(name)).__name__ + ': ' + str(problem)[:200]
        state = pickled(kept)
    if len(state) > most:
        lost = {n: 'all variables together take %d bytes, %d are allowed' % (len(state), most)
                for n in kept}
        return b'', [], lost
    return state, sorted(kept), lost


def plain(value):
    if type(value).__module__.split('.')[0] == 'numpy' and hasattr(value, 'tolist'):
        return value.tolist()
    raise TypeError


def describe(value, most):
    """The value as JSON where it can be, else as Python shows it."""
    try:
        text = json.dumps(value, allow_nan=False, default=plain)
        if len(text) <= most:
            return {'json': text}
    except Exception:
        pass
    try:
        text = repr(value)
    except Exception as problem:
        text = '<%s without a representation: %s>' % (type(value).__name__, problem)
    return {'repr': text if len(text) <= most else text[:most] + '...'}


def tell(error):
    """The traceback from the user's code on."""
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename != '<code>':
        trace = trace.tb_next
    return ''.join(traceback.format_exception(type(error), error, trace))


def run(code):
    linecache.cache['<code>'] = (len(code), None, code.splitlines(True), '<code>')
    tree = ast.parse(code, '<code>')
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = nothing
    exec(compile(tree, '<code>', 'exec'), user.__dict__)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), '<code>', 'eval'), user.__dict__)
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    return value


def save_figures(most):
    plots = sys.modules.get('matplotlib.pyplot')
    if plots is None:
        return
    try:
        for number in plots.get_fignums()[:most]:
            plots.figure(number).savefig(
                os.path.join(os.environ['TMPDIR'], 'figure-%03d.png' % number))
    except Exception as problem:
        print('a figure could not be saved: %s' % problem, file=sys.stderr)


def read_request():
    whole = sys.stdin.buffer.read()
    line, _, rest = whole.partition(b'\n')
    sizes = json.loads(line)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    sys.stdin = open(0, encoding='utf-8', closefd=False)
    parts = []
    for name in ('code', 'input', 'state'):
        parts.append(rest[:sizes[name]])
        rest = rest[sizes[name]:]
    return sizes, parts[0].decode(), json.loads(parts[1]), parts[2]


def limit_memory(most):
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or hard > most:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def serve():
    request, code, data, state = read_request()
    limit_memory(request['memory'])
    sys.argv = ['']
    report = {}
    if state:
        vars(user).update(pickle.loads(state))
    user.input_data = data
    try:
        value = run(code)
        if value is not nothing and value is not None:
            report['value'] = describe(value, request['value'])
    except SystemExit as end:
        report['exit'] = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException as error:
        report['traceback'] = tell(error)
    if os.getpid() != main_process:  # a fork of the user's, which came as far as this
        os._exit(0)
    save_figures(request['figures'])
    state = b''
    if request['keep']:
        state, report['kept'], report['lost'] = keep(request['most'])
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    out = json.dumps(report).encode() + b'\n' + state
    while out:
        out = out[os.write(REPORT, out):]
    os._exit(0)


for helper in (make_function, fill_function, make_class, fill_class):
    helper.__module__ = NAME
serve()
)python";

}  // namespace python_exec
