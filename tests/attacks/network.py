"""B: the network and other ways to speak to other processes."""

TABLE = """
B02 ! connect(2, 1, TCP)
B02 ! check(libc.connect(check(libc.socket(2, 1, 0)), TCP, 16))
B02 ! syscall("sendto", syscall("socket", 2, 2, 0), b"x", 1, 0, TCP, 16)
B02 . connect(10, 1, TCP6)
B02 . connect(2, 1, TCP, 262)
B02 . syscall("socket", 17, 3, 0x300)
B02 ! syscall("bind", syscall("socket", 2, 1, 0), b"\\2\\0" + bytes(14), 16)
B03 ! connect(1, 1, unix(ABSTRACT))
B03 ! check(libc.connect(check(libc.socket(1, 1, 0)), unix(ABSTRACT), len(unix(ABSTRACT))))
B04 ! connect(1, 1, unix(PATH))
B04 ! syscall("bind", *socket_and(unix(FOLDER + "/x")))
B04 . connect(1, 1, unix("/var/run/docker.sock"))
B05 ! syscall("socket", 16, 3, 0)
B05 ! syscall("bind", syscall("socket", 16, 3, 0), b"\\x10\\0" + bytes(10), 12)
B05 . syscall("socket", 16, 3, 9)
B07 ! syscall("socketpair", 1, 1, 0, bytes(8))
B07 ! check(libc.socketpair(1, 5, 0, bytes(8)))
B07 . syscall("recvmsg", 3, bytes(56), 0x40)
B07 ~ syscall("sendmsg", 3, rights(0), 0)
B07 ~ syscall("sendmmsg", 3, rights(0) + bytes(8), 1, 0)
B09 . syscall("add_key", b"user", b"x", b"x", 1, -3)
B09 . syscall("keyctl", 0, -3, 1)
B09 . syscall("request_key", b"user", b"x", 0, -3)
B10 ! zero(libc.getaddrinfo(b"localhost", b"80", 0, ctypes.byref(ctypes.c_void_p())))
B10 . zero(libc.getaddrinfo(b"example.org", 0, 0, ctypes.byref(ctypes.c_void_p())))
"""

_IMPORT = "def f(x):\n    import {0}\n    {1}\n    return 'ESCAPED'\n"
PROGRAMS: dict[str, list[str]] = {
    "B01": [
        _IMPORT.format("socket", "socket.create_connection(('127.0.0.1', PORT))"),
        _IMPORT.format("_socket", "_socket.socket(2, 1).connect(('127.0.0.1', PORT))"),
        _IMPORT.format("urllib.request", "urllib.request.urlopen(f'http://127.0.0.1:{PORT}')"),
        "def f(x):\n    m = sys.modules['importlib'].import_module('socket')\n"
        "    m.create_connection(('127.0.0.1', PORT))\n    return 'ESCAPED'\n",
        "def f(x):\n    imp, spec = sys.modules['_imp'], type(sys.__spec__)('_socket', None)\n"
        "    m = imp.create_builtin(spec) or imp.create_dynamic(spec)\n    imp.exec_builtin(m)\n"
        "    m.socket(2, 1).connect(('127.0.0.1', PORT))\n    return 'ESCAPED'\n",
    ],
    "B10": [_IMPORT.format("socket", "socket.gethostbyname('localhost')")],
}
