"""Checks the schedules of a scenario: syntax, names of members, and start times."""

from collections.abc import Sequence

from soliton_encirclement_ros.core.parameters.failure_parameters import FailureParameters
from soliton_encirclement_ros.core.parameters.radio_parameters import RadioParameters
from soliton_encirclement_ros.core.radio.byzantine import NAME as BYZANTINE
from soliton_encirclement_ros.core.radio.byzantine import Byzantine
from soliton_encirclement_ros.core.radio.partitions import NAME as PARTITIONS
from soliton_encirclement_ros.core.radio.partitions import Partitions
from soliton_encirclement_ros.core.schedules.outage_schedule import NAME as OUTAGES
from soliton_encirclement_ros.core.schedules.outage_schedule import check_schedule
from soliton_encirclement_ros.core.schedules.windows import parse_windows
from soliton_encirclement_ros.core.states.swarm_topics import uav_id


def check_texts(
    members: Sequence[str], radio: RadioParameters, failure: FailureParameters
) -> None:
    """Check all schedules.

    Args:
        members: Names of all members.
        radio: Holds partitions and byzantine agents.
        failure: Holds the scheduled outages.

    Raises:
        ScenarioError: A schedule has a syntax error, or names a member not in the scenario.
    """
    Partitions(radio.partitions, members)
    Byzantine(radio.byzantine, 0, members)
    agents = [member for member in members if uav_id(member) is not None]
    check_schedule(failure.failure_schedule, agents)


def late_texts(duration: float, radio: RadioParameters, failure: FailureParameters) -> list[str]:
    """Return one line per schedule that starts after the end of the run.

    Args:
        duration: Length of the run [s].
        radio: Holds partitions and byzantine agents.
        failure: Holds the scheduled outages.
    """
    texts = {PARTITIONS: radio.partitions, BYZANTINE: radio.byzantine,
             OUTAGES: failure.failure_schedule}  # fmt: skip
    found = []
    for name, text in texts.items():
        first = min((window.begin for window in parse_windows(text, name)), default=0.0)
        if first >= duration:
            found.append(
                f'{name} begins at {first:g} s, after the end of the run '
                f'(run.sim_duration = {duration:g} s)'
            )
    return found
