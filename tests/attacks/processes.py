"""C: processes and signals. Signal 0 stands for a signal in whatever may run without seccomp."""

TABLE = """
C01 ! once(os.fork())
C01 ! once(check(libc.fork()))
C01 ~ [os.fork() for _ in iter(int, 1)]
C02 ! once(syscall("clone", 17, 0, 0, 0, 0))
C02 ! once(syscall("clone3", bytes(32) + (17).to_bytes(8, "little") + bytes(48), 88))
C02 ~ once(syscall("vfork"))
C02 ~ once(syscall("fork"))
C02 ~ once(syscall("clone", 0x10000011, 0, 0, 0, 0))
C02 ~ once(syscall("clone", 0x50F00, 0, 0, 0, 0))
C03 ! os.execv("/bin/sh", ["sh", "-c", f"echo > {FOLDER}/x"])
C03 ! zero(os.system(f"echo > {FOLDER}/x"))
C03 ! os.posix_spawn("/bin/sh", ["sh", "-c", f"echo > {FOLDER}/x"], {})
C03 . zero(libc.system(b"true"))
C03 . syscall("execve", b"/bin/true", 0, 0)
C04 . syscall("execveat", 0, b"", 0, 0, 0x1000)
C04 . syscall("execveat", syscall("memfd_create", b"x", 0), b"", 0, 0, 0x1000)
C05 ! os.kill(HOST, 0)
C05 ! os.killpg(os.getpgid(HOST), 0)
C05 . os.kill(1, 0)
C05 ~ os.kill(HOST, 9)
C05 ~ os.kill(-1, 9)
C05 ~ os.kill(1, 9)
C05 ~ os.kill(0, 9)
C06 ! syscall("tgkill", HOST, HOST, 0)
C06 ! syscall("tkill", HOST, 0)
C06 ! syscall("pidfd_open", HOST, 0)
C06 ~ syscall("rt_sigqueueinfo", HOST, 10, (10).to_bytes(4, "little") + bytes(124))
C06 ~ syscall("pidfd_send_signal", 3, 9, 0, 0)
C07 ~ syscall("ptrace", 16, HOST, 0, 0)
C07 ~ syscall("ptrace", 0x4206, HOST, 0, 0)
C07 ~ syscall("ptrace", 0, 0, 0, 0)
C08 . syscall("process_vm_readv", HOST, vector(8), 1, vector(8), 1, 0)
C08 ~ syscall("process_vm_writev", HOST, vector(0), 1, vector(0), 1, 0)
C09 . syscall("pidfd_getfd", syscall("pidfd_open", HOST, 0), 3, 0)
C09 . syscall("pidfd_getfd", 3, 0, 0)
C11 ! os.nice(1)
C11 ! os.sched_setaffinity(0, {0})
C11 . os.setpriority(os.PRIO_PROCESS, 0, -20)
C11 . os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
C11 . syscall("sched_setattr", 0, (48).to_bytes(4, "little") + bytes(44), 0)
C11 . syscall("ioprio_set", 1, 0, 1 << 13)
C12 ! sys.modules["_thread"].start_new_thread(int, ())
C12 ~ [sys.modules["_thread"].start_new_thread(int, ()) for _ in iter(int, 1)]
C12 . zero(libc.pthread_create(ctypes.byref(ctypes.c_ulong()), None, libc.pause, None))
C15 ~ os.kill(os.getpid(), 19)
C15 ~ check(getattr(libc, "raise")(19))
C15 ~ check(libc.pause())
"""

_STUBBORN = "def f(x):\n    {0}\n    while True: pass\n"
PROGRAMS: dict[str, list[str]] = {
    "C13": [
        "def later():\n    while True: os.write(3, b'x')\n"
        "def f(x):\n    sys.modules['_thread'].start_new_thread(later, ())\n    return 'ESCAPED'\n",
        "def f(x):\n    import threading\n    threading.Thread(target=print, daemon=True).start()\n"
        "    return 'ESCAPED'\n",
    ],
    "C14": [
        _STUBBORN.format("for s in range(1, 65): libc.signal(s, 1)"),
        _STUBBORN.format("libc.alarm(0); libc.setitimer(0, bytes(32), None)"),
        _STUBBORN.format("libc.sigprocmask(0, b'\\xff' * 128, None)"),
        "def f(x):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass\n",
    ],
    "C15": ["import time\ndef f(x): time.sleep(10**6)\n"],
}
