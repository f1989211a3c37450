"""ROS domains for tests: one that nobody else on this machine is in."""

import fcntl
import random
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from velocity_mobility_ros.core.environment.network import first_port, participants

DOMAINS = range(1, 102)


def _is_quiet(domain: int) -> bool:
    """Say whether nobody on this machine is in a domain, be it what a test has left behind.

    The first process that was there may be gone, and its port free.
    """
    if any(participant.domain == domain for participant in participants()):
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(('127.0.0.1', first_port(domain) + 10))
        except OSError:
            return False
    return True


@contextmanager
def domain_of_its_own() -> Iterator[int]:
    """Lend a ROS domain that no other test run and no other program on this machine uses."""
    for domain in random.sample(DOMAINS, len(DOMAINS)):
        path = Path(tempfile.gettempdir()) / f'swarm-test-domain-{domain}.lock'
        with ExitStack() as stack:
            try:  # it may be another user's
                lock = stack.enter_context(path.open('w'))
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                continue
            if _is_quiet(domain):
                yield domain
                return
    raise RuntimeError('no ROS domain from 1 to 101 is free')
