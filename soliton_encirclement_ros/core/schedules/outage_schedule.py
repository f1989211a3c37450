"""Scheduled outages of agents: ``40..48: 3; 0..30: 7 8``. A late joiner is down from 0 on."""

from collections.abc import Collection

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.schedules.member_names import to_member
from soliton_encirclement_ros.core.schedules.windows import Window, parse_windows
from soliton_encirclement_ros.core.states.swarm_topics import uav, uav_id

NAME = 'failure.failure_schedule'


def check_schedule(text: str, agents: Collection[str]) -> None:
    """Check the agents named in a schedule.

    Args:
        text: The schedule.
        agents: Names of the existing agents.

    Raises:
        ScenarioError: The text is not a schedule, or names another member.
    """
    for window in parse_windows(text, NAME):
        for word in window.words:
            to_member(word, agents, NAME)
            if window.words.count(word) > 1:
                raise ScenarioError(f'{NAME}: {word!r} is named twice in one window')


def check_numbers(text: str) -> None:
    """Check a schedule without knowing which agents exist.

    Raises:
        ScenarioError: The text is not a schedule, or a word in it is not an agent's number.
    """
    for window in parse_windows(text, NAME):
        for word in window.words:
            if not uav_id(f'uav_{word}'):
                raise ScenarioError(f"{NAME}: {word[:40]!r} must be an agent's number, as 3")


def outages(text: str, agent_id: int) -> tuple[Window, ...]:
    """Return when one agent is down.

    Raises:
        ScenarioError: The text is not a schedule.
    """
    name = uav(agent_id)
    return tuple(
        window
        for window in parse_windows(text, NAME)
        if name in [f'uav_{word}' for word in window.words]
    )
