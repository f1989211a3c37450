"""What ``swarm fly`` says at the end of an order, by what vehicles report, and its exit code."""

from collections.abc import Callable, Mapping, Sequence

from velocity_mobility_ros.autopilot.engage.states import State

from soliton_encirclement_ros.cli.fly.fleet import Whom, unknown_fleet
from soliton_encirclement_ros.cli.fly.fly_order import FlyOrder
from soliton_encirclement_ros.cli.fly.gate import Faults
from soliton_encirclement_ros.cli.fly.sighting import FRESH, UNSEEN, Sighting, Sightings
from soliton_encirclement_ros.cli.fly.standing import Progress, Standings, of
from soliton_encirclement_ros.core.files.name_list import named

NOBODY = (
    'no bridge of a vehicle found: start one (px4.launch.py), or compare ROS_DOMAIN_ID, '
    '--namespace and the settings of discovery'
)

Tell = Callable[[str], None]
"""Prints a line."""


def conclude(
    order: FlyOrder, found: Standings, fleet: Whom, say: Tell, complain: Tell
) -> int:
    """Print who does as ordered, and who does not and why; return the exit code.

    Args:
        order: The order.
        found: How it stands.
        fleet: Whom it is for.
        say: Prints a line.
        complain: Prints an error.
    """
    if not found:
        complain(NOBODY)
        return 1
    done = of(found, Progress.DONE)
    if done:
        say(f'{order.aim}: {named(done)} ({len(done)} of {counted(fleet)})')
    for name, one in found.items():
        if one.progress is not Progress.DONE:
            complain(f'{name} not confirmed: {one.text}')
    if not fleet.is_complete:
        complain(unknown_fleet(fleet.names))
    return 0 if len(done) == len(found) and fleet.is_complete else 1


def counted(fleet: Whom) -> str:
    """Return how many vehicles there are, as text."""
    return f'{len(fleet.names)}' if fleet.is_complete else f'at least {len(fleet.names)}'


def refuse(what: str, names: Sequence[str], faults: Faults, complain: Tell) -> int:
    """Print what kept vehicles at the gate, one line per vehicle and fault; return 1."""
    if not names:
        complain(NOBODY)
        return 1
    for name, lines in faults.items():
        for line in lines:
            complain(f'{name}: {line}')
    good = [name for name in names if name not in faults]
    complain(f'{what}: {len(faults)} of {len(names)} vehicles not ready'
             + (f'; ready: {named(good)}' if good else ''))  # fmt: skip
    return 1


def whereabouts(names: Sequence[str], seen: Sightings) -> str:
    """Return in one line where vehicles are, by what they report and never by what is missing.

    Args:
        names: The vehicles.
        seen: What is known about them.
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_where(seen.get(name, UNSEEN)), []).append(name)
    return '; '.join(f'{named(members)}: {what}' for what, members in groups.items())


WHERE: Mapping[State, str] = {
    State.TAKE_OFF: 'climbing, will hold at the top',
    State.HOLD: 'in the air, holding',
    State.HOLD_REENTRY: 'in the air, holding',
    State.BRAKE: 'in the air, braking',
    State.TRACK: 'in the air, tracking its agent',
    State.LANDING: 'in the air, the autopilot lands or returns',
}


def _where(seen: Sighting) -> str:
    report = seen.report
    if report is None:
        return 'not heard, so it may be in the air'
    if seen.age > FRESH:
        return f'silent for {seen.age:.0f} s, so it may be in the air'
    if report.armed is False:
        return 'on the ground, not armed'
    if report.armed is None:
        return 'armed or not is not known'
    if report.landed and report.state is not State.TAKE_OFF:
        return 'on the ground, ARMED'
    return WHERE.get(report.state, f'armed, {report.in_words}') if report.state else 'armed'
