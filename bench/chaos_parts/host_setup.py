"""What a computer of a chaos run needs before nodes start on it: ``host_setup.py INTERFACE``.

Then it waits for its end: other programs enter its namespaces.
"""

import array
import fcntl
import signal
import socket
import struct
import sys

ETHTOOL = 0x8946
SET_SEND_CHECKSUMS = 0x00000017


def compute_checksums(interface: str) -> None:
    """Let the kernel compute checksums of what it sends: a relay of raw frames has no device."""
    order = array.array('B', struct.pack('II', SET_SEND_CHECKSUMS, 0))
    request = struct.pack('16sP', interface.encode(), order.buffer_info()[0])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket.fileno(), ETHTOOL, request.ljust(40, b'\0'))


if __name__ == '__main__':
    compute_checksums(sys.argv[1])
    print('ready', flush=True)
    signal.pause()
