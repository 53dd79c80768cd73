#include "interpreter/driver.hpp"

namespace python_exec {

// Input on stdin: a line of JSON with the sizes of the following parts, the code, the input (JSON)
// and the variables of earlier calls (a pickle). Output on descriptor 3 at the end: a line of JSON,
// then the variables to keep: see keeping.cpp and keeping_typing.cpp, which come first.
const char* const kDriver = R"python(
MAX_DEPTH = 100  # the same in report.hpp
PICTURES = ('.png', '.jpg', '.jpeg', '.gif', '.webp', '.svg')  # the same in images.cpp


def plain(value):
    if type(value).__module__.split('.')[0] == 'numpy' and hasattr(value, 'tolist'):
        return value.tolist()
    raise TypeError


def is_exact(value, budget, depth=0):
    """Whether JSON represents the value exactly: integers of 64 bits, keys that are text."""
    budget[0] -= 1  # each takes at least one character
    if depth > MAX_DEPTH or budget[0] < 0:
        return False
    if isinstance(value, dict):
        return all(isinstance(k, str) and is_exact(k, budget) and is_exact(v, budget, depth + 1)
                   for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return all(is_exact(v, budget, depth + 1) for v in value)
    if isinstance(value, int):
        return -2**63 <= value < 2**64
    if isinstance(value, str):
        return not any('\ud800' <= c <= '\udfff' for c in value)
    if value is None or isinstance(value, float):
        return True
    return is_exact(plain(value), budget, depth)


def describe(value, most):
    """The value as JSON if that is exact, otherwise as Python's repr."""
    try:
        if is_exact(value, [most]):
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


def traceback_of(error):
    """The traceback, starting at the user's code."""
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


# Files this call has written: calls that run at the same time share the folder (images.hpp).
wrote = set()


def note_written(event, args):
    try:
        if event == 'open':
            path, mode, flags = args
            writes = (any(c in mode for c in 'wax+') if isinstance(mode, str)
                      else flags & (os.O_WRONLY | os.O_RDWR))
        elif event == 'os.rename':
            path, writes = args[1], True
        else:
            return
        if writes and len(wrote) < 10000 and isinstance(path, (str, bytes, os.PathLike)):
            wrote.add(os.path.basename(os.fsdecode(path)))
    except Exception:  # an exception would forbid the operation
        pass


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
    sys.addaudithook(note_written)
    gone = restore(state) if state else {}
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
        report['traceback'] = traceback_of(error)
    if os.getpid() != main_process:  # a fork by the user's code
        os._exit(0)
    save_figures(request['figures'])
    report['wrote'] = [n for n in sorted(wrote) if n.lower().endswith(PICTURES)]
    state = b''
    if request['keep']:
        state, report['kept'], lost = keep(request['most'])
        report['lost'] = dict(gone, **lost)
    try:
        atexit._run_exitfuncs()
    except BaseException as error:  # like the interpreter: printed, not a failure
        traceback.print_exception(type(error), error, error.__traceback__)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    out = json.dumps(report).encode() + b'\n' + state
    while out:
        out = out[os.write(REPORT, out):]
    os._exit(0)


for helper in (make_function, fill_function, make_class, make_namedtuple, fill_class,
               fill_namedtuple, make_proxy, restore_module, make_type_variable, make_forward,
               make_typed_dict):
    helper.__module__ = NAME
serve()
)python";

}  // namespace python_exec
