"""Embeds toolhost through ctypes.

usage: embedder.py LIBRARY PLUGINS; says on stdout what it saw
"""
import ctypes
import json
import sys
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int32, c_uint32, c_void_p

library = ctypes.CDLL(sys.argv[1])
library.toolhost_version.restype = c_char_p
library.toolhost_free.argtypes = [c_void_p]
library.toolhost_free.restype = None
library.toolhost_close.argtypes = [c_void_p]
library.toolhost_close.restype = None
library.toolhost_cancellation_create.restype = c_void_p
library.toolhost_cancel.argtypes = [c_void_p]
library.toolhost_cancel.restype = None
library.toolhost_cancellation_free.argtypes = [c_void_p]
library.toolhost_cancellation_free.restype = None
library.toolhost_open.argtypes = [c_char_p, c_void_p, POINTER(c_void_p), POINTER(c_void_p)]
library.toolhost_list.argtypes = [c_void_p, c_char_p, POINTER(c_void_p)]
library.toolhost_reload.argtypes = [c_void_p, POINTER(c_int32), POINTER(c_void_p)]
library.toolhost_set_answer.argtypes = [c_void_p, c_char_p]
library.toolhost_reply.argtypes = [c_void_p, c_char_p]
library.toolhost_fail.argtypes = [c_void_p, c_char_p, c_char_p]
library.toolhost_emit.argtypes = [c_void_p, c_char_p, c_char_p]

OK = 0
CONSENT_ONCE = 2


class Observer(Structure):
    EVENT = CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)
    LOG = CFUNCTYPE(None, c_void_p, c_int32, c_char_p)
    ASK = CFUNCTYPE(c_int32, c_void_p, c_char_p, c_void_p)
    CONSENT = CFUNCTYPE(c_int32, c_void_p, c_char_p)
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("data", c_void_p),
                ("event", EVENT), ("log", LOG), ("ask", ASK), ("consent", CONSENT)]


class Tool(Structure):
    INVOKE = CFUNCTYPE(c_int32, c_void_p, c_char_p, c_void_p)
    RELEASE = CFUNCTYPE(None, c_void_p)
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("spec", c_char_p),
                ("data", c_void_p), ("invoke", INVOKE), ("release", RELEASE)]


library.toolhost_call.argtypes = [c_void_p, c_char_p, POINTER(Observer), c_void_p,
                                  POINTER(c_void_p)]
library.toolhost_create_tool.argtypes = [c_void_p, POINTER(Tool), POINTER(c_void_p)]


def take(text):
    """The JSON behind a `char **`, freed."""
    value = json.loads(ctypes.string_at(text.value)) if text.value else None
    library.toolhost_free(text)
    return value


def say(title, value):
    print(f"{title}: {json.dumps(value)}", flush=True)


def call(host, request, cancellation=None):
    def event(data, kind, text):
        say("event", kind.decode())
        if cancellation:
            library.toolhost_cancel(cancellation)

    def ask(data, question, answer):
        say("asked", json.loads(question)["name"])
        return library.toolhost_set_answer(answer, b"true")

    def consent(data, question):
        say("consent", json.loads(question)["tool"])
        return CONSENT_ONCE

    observer = Observer(ctypes.sizeof(Observer), 0, None, Observer.EVENT(event), Observer.LOG(),
                        Observer.ASK(ask), Observer.CONSENT(consent))
    result = c_void_p()
    library.toolhost_call(host, json.dumps(request).encode(), byref(observer), cancellation,
                          byref(result))
    return take(result)


def main():
    host, text = c_void_p(), c_void_p()
    if library.toolhost_open(b'{"profile": "nope"}', None, byref(host), byref(text)) != OK:
        say("refused", take(text)["code"])
    options = json.dumps({"plugins": [sys.argv[2]]}).encode()
    if library.toolhost_open(options, None, byref(host), byref(text)) != OK:
        sys.exit(take(text)["message"])
    print("version:", library.toolhost_version().decode())

    def greet(data, request, context):
        name = json.loads(request)["input"].get("name")
        library.toolhost_emit(context, b"progress", b'{"progress": 1}')
        if name != "Ann":
            return library.toolhost_fail(context, b"unknown", b"who is that?")
        return library.toolhost_reply(context, json.dumps([{"text": f"hello {name}"}]).encode())

    spec = {"name": "greet", "description": "Greets.",
            "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}
    # Python must keep the callbacks for as long as the tool exists.
    tool = Tool(ctypes.sizeof(Tool), 0, json.dumps(spec).encode(), None, Tool.INVOKE(greet),
                Tool.RELEASE(lambda data: print("released: greet")))
    if library.toolhost_create_tool(host, byref(tool), byref(text)) != OK:
        sys.exit(take(text)["message"])
    if library.toolhost_create_tool(host, byref(tool), byref(text)) != OK:
        say("again", take(text)["code"])

    tools = c_void_p()
    if library.toolhost_list(host, None, byref(tools)) == OK:
        for spec in take(tools):
            say("tool", spec["name"])
    say("calculator", call(host, {"tool": "calculator", "input": {"expression": "6*7"}}))
    say("greet", call(host, {"tool": "greet", "input": {"name": "Ann"}}))
    say("nobody", call(host, {"tool": "greet", "input": {"name": "Bob"}})["error"]["code"])
    say("asker", call(host, {"tool": "asker"}))
    say("careful", call(host, {"tool": "careful"})["status"])
    cancellation = library.toolhost_cancellation_create()
    waiter = {"tool": "waiter", "input": {"ms": 600000}}
    say("cancelled", call(host, waiter, cancellation)["error"]["code"])
    library.toolhost_cancellation_free(cancellation)
    changed = c_int32(1)
    if library.toolhost_reload(host, byref(changed), None) == OK:
        say("reload", changed.value)
    sys.stdout.flush()
    library.toolhost_close(host)


main()
