"""Unix sockets that hand descriptors from one process to another.

The module behind `socket` is asked: `socket` itself makes an enumeration of the constants of every
protocol there is, which takes longer than all that is sent in a run.
"""

from __future__ import annotations

import _socket
import sys

Socket = _socket.socket
PACKETS = _socket.SOCK_SEQPACKET
"""Messages keep their bounds."""

_INT_BYTES = 4


def pair(kind: int = _socket.SOCK_STREAM) -> tuple[Socket, Socket]:
    """Two ends that are connected to each other."""
    return _socket.socketpair(_socket.AF_UNIX, kind)


def send(end: Socket, data: bytes, *descriptors: int) -> int:
    """Send data, as much as fits, and copies of the descriptors; how many bytes that were."""
    rights = b"".join(each.to_bytes(_INT_BYTES, sys.byteorder) for each in descriptors)
    passed = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)] if descriptors else []
    return end.sendmsg([data], passed)


def receive(end: Socket, size: int, most: int) -> tuple[bytes, list[int]]:
    """What was sent, up to so many bytes and descriptors; no bytes if the other end is gone."""
    data, messages, _, _ = end.recvmsg(size, _socket.CMSG_LEN(most * _INT_BYTES))
    descriptors = []
    for level, kind, rights in messages:
        if (level, kind) == (_socket.SOL_SOCKET, _socket.SCM_RIGHTS):
            whole = len(rights) - len(rights) % _INT_BYTES
            for at in range(0, whole, _INT_BYTES):
                descriptors.append(int.from_bytes(rights[at : at + _INT_BYTES], sys.byteorder))
    return data, descriptors
