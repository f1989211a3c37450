"""Before a run: resources of the machine, settings of ROS, and a live page beside it.

A request that is too large is refused or warned of before the start. The live page is a process
beside the run; its operator may ask for restarts. A run that could not begin leaves no folder, and
``latest`` points to the previous run.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Optional

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.machine_resources import Needs, free_disk, free_memory
from soliton_encirclement_ros.core.run.run_folder import LOG, MANIFEST
from soliton_encirclement_ros.core.states.swarm_topics import Fleet
from velocity_mobility_ros.core.environment.fast_dds import ask_for_all_topics
from velocity_mobility_ros.core.environment.ros_environment import (
    DISCOVERY, LOCALHOST, check_discovery, check_middleware, discovery_range, discovery_warnings,
    warn_of
)
from velocity_mobility_ros.core.environment.unix_process import to_child

GIGA, MEGA = 1e9, 1e6

TIGHT = 0.7
"""Share of the free resources beyond which a warning is given."""

MAX_PARTICIPANTS = 119
"""Maximum number of processes of one machine in one domain, by the ports of DDS."""


Machine = tuple[Optional[float], Optional[float]]
"""Resources: free memory and disk space [bytes], None if unknown."""


def this_machine(out: Path) -> Machine:
    """Return the resources of this machine for runs that write into a folder."""
    return free_memory(), free_disk(out)


def check_machine(needs: Needs, machine: Machine, what: str, advice: str) -> None:
    """Refuse what does not fit into a machine; warn if it hardly does.

    Args:
        needs: The required resources.
        machine: The available resources.
        what: The request, named first.
        advice: What to do instead.

    Raises:
        RunError: It does not fit.
    """
    tight = []
    several = f' in {needs.processes} processes' if needs.processes > 1 else ''
    named = (f'memory{several}', needs.memory), ('disk space', needs.disk)
    for (name, amount), free in zip(named, machine, strict=True):
        if free is not None and amount > TIGHT * free:
            takes = f'takes about {_size(amount)} of {name}, {_size(free)} are free'
            if amount > free:
                raise RunError(f'{what}: {takes}; {advice}')
            tight.append(takes)
    if needs.processes > MAX_PARTICIPANTS:
        tight.append(
            f'takes {needs.processes} processes; DDS has ports for {MAX_PARTICIPANTS} of one '
            'machine in a domain'
        )
    for line in tight:
        print(f'warning: {what}: {line}; {advice}', file=sys.stderr)


def wall_time(seconds: float) -> str:
    """Return a time as text, rounded."""
    if seconds >= 5400.0:
        return f'{seconds / 3600.0:.1f} h'
    return f'{seconds / 60.0:.0f} min' if seconds >= 90.0 else f'{seconds:.0f} s'


def _size(size: float) -> str:
    return f'{size / GIGA:.1f} GB' if size >= 0.1 * GIGA else f'{size / MEGA:.0f} MB'


def check_ros() -> None:
    """Refuse settings with which ROS cannot start.

    Raises:
        StartupError: A setting is refused.
    """
    check_middleware()
    check_discovery(is_local=True)


def set_environment(folder: Path) -> None:
    """Let ROS stay on this machine, unless asked otherwise, and log into a run's folder.

    Settings of discovery that have no effect then are warned of.
    """
    os.environ[DISCOVERY] = discovery_range() or LOCALHOST
    warn_of(discovery_warnings())
    ask_for_all_topics()  # also for the search for other swarms
    os.environ.setdefault('ROS_LOG_DIR', str((folder / LOG).resolve()))


class Restart(NamedTuple):
    """Changes of a repeated run; None: as the command line or the scenario says."""

    agents: Optional[int] = None
    seed: Optional[int] = None

    def command(self, words: Sequence[str]) -> list[str]:
        """Return the command line that would have flown this, after that of the first run."""
        own = {f'--{name}': value for name, value in self._asdict().items() if value is not None}
        others = [
            word for before, word in pairwise(['', *words])
            if word.partition('=')[0] not in own and before not in own
        ]  # fmt: skip
        return [*others, *(text for name, value in own.items() for text in (name, str(value)))]

    def write(self, descriptor: int) -> None:
        """Ask the run at the other end of a pipe for it."""
        os.write(descriptor, f'{json.dumps(self)}\n'.encode())


class RunPage:
    """The requests from the page of a run."""

    def __init__(self, descriptor: int = -1) -> None:
        """Read from a pipe; without one nobody asks for anything."""
        self._descriptor, self._asked = descriptor, list[Restart]()

    def is_restart_asked(self) -> bool:
        """Return whether somebody has asked for a restart."""
        if not self._asked and self._descriptor >= 0:
            try:
                text = os.read(self._descriptor, 4096).decode()
            except BlockingIOError:
                text = ''
            self._asked = [Restart(*json.loads(line)) for line in text.splitlines()]
        return bool(self._asked)

    def take_restart(self) -> Restart | None:
        """Return the restart that was asked for last, None if none was."""
        restart = self._asked[-1] if self.is_restart_asked() else None
        self._asked = []
        return restart


NO_PAGE = RunPage()


@contextmanager
def viewer_process(
    fleet: Fleet, wanted: bool, operates: bool = False, options: Sequence[str] = ()
) -> Iterator[RunPage]:
    """Show a swarm meanwhile, by a process of its own, which prints the address.

    Args:
        fleet: The fleet.
        wanted: Whether to.
        operates: Whether the page gives orders.
        options: Further options of ``swarm view``.
    """
    if not wanted:
        yield RunPage()
        return
    read, write = os.pipe()
    os.set_blocking(read, False)
    command = [sys.executable, '-m', 'soliton_encirclement_ros.cli.main', 'view']
    command += ['--namespace', fleet.namespace or '/', *options]
    command += ['--operate', '--restarts', str(write)] if operates else []
    process = subprocess.Popen(
        command, stdout=sys.stderr, env={**os.environ, **to_child()}, pass_fds=(write,)
    )
    os.close(write)
    try:
        yield RunPage(read)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
        os.close(read)


def streaming(
    stream: Optional[str], fleet: Fleet, radius: float
) -> AbstractContextManager[RunPage]:
    """Stream a swarm with a ring [m] to another viewer meanwhile, if one is named."""
    options = '--stream', stream or '', '--radius', f'{radius}'
    return viewer_process(fleet, stream is not None, options=options)


LATEST = 'latest'


def remove_run_folder(folder: Path) -> None:
    """Remove the folder of a run that has not begun, as far as the system allows it."""
    shutil.rmtree(folder, ignore_errors=True)
    link = folder.parent / LATEST
    try:
        if os.readlink(link) == folder.name:
            _point_back(link)
    except OSError:  # the error that kept the run from starting says more
        return


def _point_back(link: Path) -> None:
    """Set a link to the newest of the remaining runs, if there is one."""
    runs = [path.parent.name for path in link.parent.glob(f'*/{MANIFEST}')]
    left = sorted({*runs} - {LATEST, os.readlink(link)})
    link.unlink()
    if left:
        link.symlink_to(left[-1])
