"""The processes of a run: each hosts some nodes of the plan and logs into the run's folder."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from velocity_mobility_ros.core.parameter_table import TABLE
from velocity_mobility_ros.core.parent_process import to_child

from soliton_encirclement_ros.core.run.run_folder import LOG, PARAMETERS
from soliton_encirclement_ros.core.scenario.composition import ProcessGroup

STOP_TIMEOUT = 5.0
"""Wall time [s] that a process has to end by itself."""

NO_SECOND_LOG = ('--ros-args', '--disable-external-lib-logs')
"""ROS would write all that a process says into a file as well, named by its process id."""


class Host:
    """One process with some nodes of the plan."""

    def __init__(self, group: ProcessGroup, folder: Path, plan: Path) -> None:
        """Start the process.

        Args:
            group: Its nodes; its name is that of the log file.
            folder: The run's folder.
            plan: The saved plan.
        """
        self.name, numbers, self.is_vital = group
        self.log = folder / LOG / f'{self.name}.log'
        self.log.parent.mkdir(exist_ok=True)
        module = 'soliton_encirclement_ros.cli.processes.node_host'
        command = [sys.executable, '-m', module, str(plan), *map(str, numbers), *NO_SECOND_LOG]
        with self.log.open('wb') as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={
                    **os.environ,
                    **to_child(),
                    'ROS_LOG_DIR': str(self.log.parent),
                    TABLE: str(folder / PARAMETERS),
                },
                start_new_session=True,  # ctrl-C is for the runner, which then stops us in order
            )

    @property
    def exit_code(self) -> int | None:
        """The exit code, None while the process lives."""
        return self._process.poll()

    def interrupt(self) -> None:
        """Ask the process to end."""
        if self.exit_code is None:
            self._process.send_signal(signal.SIGINT)

    def end(self, deadline: float) -> None:
        """Wait until a deadline (monotonic clock [s]), then kill the process."""
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def reason(self) -> str:
        """Return why it ended: the signal, or the last line of its log that is no news."""
        code = self.exit_code or 0
        if code < 0:
            return f'signal {-code}, {signal.strsignal(-code) or "unknown"}'
        lines = self.log.read_text(encoding='utf-8', errors='replace').strip().splitlines()
        said = [line for line in lines if not line.startswith('[INFO]')]
        return f'exit code {code}: {said[-1] if said else "no output"}'


def stop_all(hosts: Sequence[Host]) -> None:
    """Ask all processes to end, and kill those that do not."""
    for host in reversed(hosts):  # the world comes first in a plan, and is needed by all others
        host.interrupt()
    deadline = time.monotonic() + STOP_TIMEOUT
    for host in hosts:
        host.end(deadline)
