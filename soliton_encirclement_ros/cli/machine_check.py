"""Checks that a machine has the resources for a request: refusal or warning before the start."""

import sys
from pathlib import Path
from typing import NamedTuple, Optional

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.scenario.machine_resources import free_disk, free_memory
from soliton_encirclement_ros.core.scenario.resource_needs import Needs

GIGA, MEGA = 1e9, 1e6

TIGHT = 0.7
"""Share of the free resources beyond which a warning is given."""

LONG = 600.0
"""Wall time [s] beyond which a warning is given."""

MAX_PARTICIPANTS = 119
"""Maximum number of processes of one machine in one domain, by the ports of DDS."""


class Machine(NamedTuple):
    """Resources: free memory and disk space [bytes], None if unknown."""

    memory: Optional[float]
    disk: Optional[float]


def this_machine(out: Path) -> Machine:
    """Return the resources of this machine for runs that write into a folder."""
    return Machine(free_memory(), free_disk(out))


def check_machine(needs: Needs, machine: Machine, what: str, advice: str) -> None:
    """Refuse what does not fit into a machine; warn if it hardly does, or takes long.

    Args:
        needs: The required resources.
        machine: The available resources.
        what: The request, named first.
        advice: What to do instead.

    Raises:
        RunError: It does not fit.
    """
    for name, amount, free in (
        ('memory', needs.memory, machine.memory), ('disk space', needs.disk, machine.disk),
    ):  # fmt: skip
        if free is not None and amount > free:
            raise RunError(f'{what}: {_takes(name, amount, free, needs)}; {advice}')
    for line in resource_warnings(needs, machine):
        print(f'warning: {what}: {line}; {advice}', file=sys.stderr)


def resource_warnings(needs: Needs, machine: Machine) -> list[str]:
    """Return the warnings, one line each."""
    found = [
        _takes(name, amount, free, needs)
        for name, amount, free in (
            ('memory', needs.memory, machine.memory), ('disk space', needs.disk, machine.disk),
        )
        if free is not None and amount > TIGHT * free
    ]  # fmt: skip
    if needs.processes > MAX_PARTICIPANTS:
        found.append(
            f'takes {needs.processes} processes; DDS has ports for {MAX_PARTICIPANTS} of one '
            'machine in a domain'
        )
    if needs.wall > LONG:
        found.append(f'takes {wall_time(needs.wall)} or more')
    return found


def wall_time(seconds: float) -> str:
    """Return a time as text, rounded."""
    if seconds >= 5400.0:
        return f'{seconds / 3600.0:.1f} h'
    return f'{seconds / 60.0:.0f} min' if seconds >= 90.0 else f'{seconds:.0f} s'


def _takes(name: str, amount: float, free: float, needs: Needs) -> str:
    several = name == 'memory' and needs.processes > 1
    count = f' in {needs.processes} processes' if several else ''
    return f'takes about {_size(amount)} of {name}{count}, {_size(free)} are free'


def _size(size: float) -> str:
    return f'{size / GIGA:.1f} GB' if size >= 0.1 * GIGA else f'{size / MEGA:.0f} MB'
