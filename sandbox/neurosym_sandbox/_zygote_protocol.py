"""What host and zygote say to each other over one SOCK_SEQPACKET socket.

host:   O session, address space, + descriptors for stdout, stderr and the child's socket
zygote: o session, + a pidfd of the child      (or x session, errno: could not fork)
host:   W session      (the child is ended or being killed: wait for it)
zygote: w session, wait status, user and system time, largest resident size
host:   R session      (the same, but nobody is interested in the answer)
"""

from __future__ import annotations

import struct

OPEN = struct.Struct("<cQQ")
SESSION = struct.Struct("<cQ")
REFUSED = struct.Struct("<cQi")
WAITED = struct.Struct("<cQiddQ")
MAX_MESSAGE = 64
