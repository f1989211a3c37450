"""What ``swarm fly`` says at the end of an order, and its exit code."""

from collections.abc import Sequence

from soliton_encirclement_ros.cli.fly.fly_order import FlyOrder
from soliton_encirclement_ros.cli.fly.gate import Faults
from soliton_encirclement_ros.cli.fly.standing import Progress, Standings, of
from soliton_encirclement_ros.cli.views.run_report import print_error
from soliton_encirclement_ros.core.files.name_list import named

NOBODY = (
    'no bridge of a vehicle found: start one (px4.launch.py), or compare ROS_DOMAIN_ID, '
    '--namespace and the settings of discovery'
)


def say(line: str) -> None:
    """Print one line at once."""
    print(line, flush=True)


def conclude(order: FlyOrder, found: Standings) -> int:
    """Print who does as ordered, and who does not and why; return the exit code."""
    if not found:
        print_error(NOBODY)
        return 1
    done = of(found, Progress.DONE)
    if done:
        say(f'{order.aim}: {named(done)}')
    for name, one in found.items():
        if one.progress is not Progress.DONE:
            print_error(f'{name} not confirmed: {one.text}')
    return 0 if len(done) == len(found) else 1


def refuse(what: str, names: Sequence[str], faults: Faults) -> int:
    """Print what kept vehicles at the gate, one line per vehicle and fault; return 1."""
    if not names:
        print_error(NOBODY)
        return 1
    for name, lines in faults.items():
        for line in lines:
            print_error(f'{name}: {line}')
    good = [name for name in names if name not in faults]
    print_error(f'{what}: {len(faults)} of {len(names)} vehicles not ready'
                + (f'; ready: {named(good)}' if good else ''))  # fmt: skip
    return 1
