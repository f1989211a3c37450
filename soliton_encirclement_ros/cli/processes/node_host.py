"""Runs some nodes of a saved plan in one process: ``node_host RUNNER PLAN.json NUMBER...``.

RUNNER is the process id of the parent; when that process is gone, this one ends as well. 0: it is
not watched. Arguments of ROS may follow; they are for all of the nodes, whose namespaces are those
of the plan in any case.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rclpy.node import Node
from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.ros_io.process.command_line import plain_arguments
from velocity_mobility_ros.ros_io.process.entry import end_process, run_nodes

from soliton_encirclement_ros.cli.processes.node_factory import make_nodes
from soliton_encirclement_ros.cli.processes.parent_death import killed_with_parent
from soliton_encirclement_ros.core.scenario.plan_file import load_plan
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec

USAGE = 'node_host RUNNER PLAN.json NUMBER...'


def main(args: Sequence[str] | None = None) -> int:
    """Run the numbered nodes until the world is done, a signal arrives, or the parent is gone."""
    given = [*(sys.argv[1:] if args is None else args)]
    try:
        runner, chosen = asked(plain_arguments(['node_host', *given]))
    except StartupError as error:
        print(f'error: {error}', file=sys.stderr)
        return 2

    def is_orphan() -> bool:
        return runner != 0 and os.getppid() != runner

    def make() -> list[Node]:
        with killed_with_parent():  # a host that flies ends in order instead
            return [] if is_orphan() else make_nodes(chosen)

    return run_nodes(make, _of_ros(given), is_orphan)


def asked(words: Sequence[str]) -> tuple[int, list[NodeSpec]]:
    """Return the process to watch, 0 for none, and the nodes to run.

    Raises:
        StartupError: The arguments are not those of ``USAGE``, or there is no such plan or node.
    """
    try:
        runner, path, *numbers = words
        places = [int(number) for number in numbers]
        plan = load_plan(Path(path))
        return int(runner), [plan[place] for place in places]
    except OSError as error:
        raise StartupError(f'{path}: {error.strerror}; usage: {USAGE}') from None
    except (ValueError, TypeError, KeyError, IndexError):
        raise StartupError(
            f'{" ".join(words) or "no arguments"}: not a process id, a plan.json of a run and '
            f'numbers of its nodes; usage: {USAGE}'
        ) from None


def _of_ros(args: Sequence[str]) -> list[str]:
    """Return the arguments of ROS, which are the last ones."""
    return [*args[args.index('--ros-args') :]] if '--ros-args' in args else []


if __name__ == '__main__':
    end_process(main(sys.argv[1:]))
