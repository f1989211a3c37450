"""Partitions between members over time: ``20..40: 1 2 target | 3 4``.

Members that are not named form one more group. If windows overlap, members receive each other
only if they share a group in every open one.
"""

from collections.abc import Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.schedules.member_names import to_member
from soliton_encirclement_ros.core.schedules.windows import BAR, Window, parse_windows, refusal

NAME = 'radio.partitions'
REST = 0
"""The group of the members that are not named."""


class Split(NamedTuple):
    """One window and the group of every member."""

    window: Window
    groups: dict[str, int]


class Partitions:
    """The partitions of a run."""

    def __init__(self, text: str, members: Sequence[str]) -> None:
        """Read a text.

        Args:
            text: The schedule.
            members: Names of all members.

        Raises:
            ScenarioError: The text is not a schedule, or names an unknown member or one twice.
        """
        self._splits = splits_of(text, members)

    def open(self, now: float) -> list[dict[str, int]]:
        """Return the group of every member in each window that is open at a time [s]."""
        return [split.groups for split in self._splits if split.window.is_open(now)]


def splits_of(text: str, members: Sequence[str]) -> list[Split]:
    """Return the windows of a text with their groups.

    Args:
        text: The schedule.
        members: Names of all members.

    Raises:
        ScenarioError: The text is not a schedule, or names an unknown member or one twice.
    """
    windows = parse_windows(text, NAME)
    return [Split(window, _groups(window, members)) for window in windows]


def _groups(window: Window, members: Sequence[str]) -> dict[str, int]:
    groups: dict[str, int] = {}
    number = REST + 1
    for word in window.words:
        if word == BAR:
            number += 1
            continue
        member = to_member(word, members, NAME)
        if member in groups:
            raise refusal(NAME, ' '.join(window.words), f'names {word} twice')
        groups[member] = number
    return {member: groups.get(member, REST) for member in members}
