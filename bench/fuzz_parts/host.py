"""A node as a user starts it, which also counts what it takes: ``host.py COUNTS PROGRAM ...``.

PROGRAM is an executable of the package, or ``swarm``. Messages per topic and requests per service
land in the file COUNTS four times a second; nothing else is changed, unless the environment names
a mistake that is put in on purpose: ``FUZZ_MISTAKE=crash|leak``.
"""

import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rclpy.node import Node

from soliton_encirclement_ros.cli import executables
from velocity_mobility_ros.ros_io import polling

PERIOD = 0.25

TAKEN: Counter[str] = Counter()

NOT_A_NUMBER = b'\xf8\x7f'
LOST: list[bytearray] = []


def crash(data: Any) -> None:
    """End with the first message that has something not a number in it."""
    if NOT_A_NUMBER in bytes(data):
        raise RuntimeError('a mistake on purpose')


def leak(data: Any) -> None:
    """Lose memory with each message."""
    LOST.append(bytearray(b'x') * 20_000)


MISTAKES = {'crash': crash, 'leak': leak, '': lambda data: None}


def count_calls(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that subscribes or serves, whose callback is counted by the full name."""

    def counted(self: Node, kind: type, name: str, callback: Any, *args: Any, **more: Any) -> Any:
        full = self.resolve_topic_name(name)

        def take(*given: Any) -> Any:
            TAKEN[full] += 1
            return callback(*given)

        return method(self, kind, name, take, *args, **more)

    return counted


def count_polls(mistake: Callable[[Any], None]) -> None:
    """Count what is taken of subscriptions that no executor sees."""
    usual = polling._take_messages

    def take(subscription: Any, kind: type) -> Iterator[tuple[bytes, Any]]:
        for taken in usual(subscription, kind):
            TAKEN[subscription.topic_name] += 1
            mistake(taken[0])
            yield taken

    polling._take_messages = take


def tell(path: Path) -> None:
    """Write the counts, again and again."""
    part = path.with_suffix('.part')
    while True:
        part.write_text(json.dumps(dict(TAKEN)))
        os.replace(part, path)
        time.sleep(PERIOD)


def main() -> int:
    """Run the node to its end."""
    path, program = Path(sys.argv[1]), sys.argv[2]
    del sys.argv[1:3]
    Node.create_subscription = count_calls(Node.create_subscription)
    Node.create_service = count_calls(Node.create_service)
    count_polls(MISTAKES[os.environ.get('FUZZ_MISTAKE', '')])
    threading.Thread(target=tell, args=(path,), daemon=True).start()
    if program == 'swarm':
        from soliton_encirclement_ros.cli.main import main as swarm

        return swarm()
    return getattr(executables, program)()


if __name__ == '__main__':
    sys.exit(main())
