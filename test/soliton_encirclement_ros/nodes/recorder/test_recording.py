"""The bag of a recorder: what it counts, and what a full disk leaves of it."""

import errno
from pathlib import Path
from types import SimpleNamespace

import pytest
from rclpy.qos import QoSProfile
from soliton_encirclement_ros.nodes.recorder.recording import Recording

pytestmark = pytest.mark.ros


class Bag:
    """A writer that holds so many messages and then is full."""

    def __init__(self, room: int, index: bool = True) -> None:
        """Begin empty; without ``index`` the end fails as well."""
        self.room, self.index = room, index
        self.messages = self.bytes = 0
        self.counts = {'/a': 0}

    def add_topic(self, topic: str, kind: str, **quality: object) -> SimpleNamespace:
        """Return the connection of a topic."""
        return SimpleNamespace(topic=topic)

    def write(self, connection: SimpleNamespace, log_ns: int, data: bytes) -> None:
        """Write, or fail."""
        if self.messages == self.room:
            raise OSError(errno.ENOSPC, 'No space left on device')
        self.messages += 1
        self.bytes += len(data)
        self.counts[connection.topic] += 1

    def close(self) -> None:
        """Close, or fail."""
        if not self.index:
            raise OSError(errno.ENOSPC, 'No space left on device')


def recorded(bag: Bag, count: int) -> tuple[Recording, list[str]]:
    """Return a recording of so many messages, and what it told."""
    told: list[str] = []
    recording = Recording(Path('/bag'), bag, told.append)
    recording.add_topic('/a', 'std_msgs/msg/String', QoSProfile(depth=1))
    for k in range(count):
        recording.write('/a', k, k, b'four')
    return recording, told


def test_numbers_stay_after_the_end():
    """Messages and bytes are those of the bag; nothing is written to it any more."""
    recording, told = recorded(Bag(9), 3)
    assert recording.is_open and recording.progress == 3
    recording.close()
    recording.write('/a', 3, 3, b'four')
    assert (recording.messages, recording.bytes, recording.progress) == (3, 12, 0)
    assert recording.complete and not recording.is_open and told == []


@pytest.mark.parametrize(
    ('index', 'end'), [(True, 'is kept'), (False, 'is kept, but it has no index')]
)
def test_a_full_disk_ends_it_once(index, end):
    """One line, and the message that did not fit is taken back from the counts."""
    recording, told = recorded(Bag(2, index), 5)
    recording.close()
    assert not recording.complete and not recording.is_open
    assert told == [f'/bag: No space left on device; recording stopped, everything before {end}']
    tally = recording.tallies['/a']
    assert (tally.count, tally.taken_back, recording.messages) == (3, 1, 2)


def test_an_end_without_index_is_told():
    """The messages are there, the index is not."""
    recording, told = recorded(Bag(9, index=False), 1)
    recording.close()
    assert told == ['/bag: the bag has no index: No space left on device']
    assert not recording.complete


def test_nothing_begins_before_the_first_message():
    """``begun`` is the time of the first message."""
    recording, _ = recorded(Bag(9), 0)
    assert recording.begun is None
    recording.write('/a', 0, None, b'')
    assert recording.begun is not None
