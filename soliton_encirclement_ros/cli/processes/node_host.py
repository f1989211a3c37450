"""Runs some nodes of a saved plan in one process: ``node_host PLAN.json NUMBER...``.

Arguments of ROS may follow; they are for all of the nodes, whose namespaces are those of the plan
in any case.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.ros_io.process.command_line import plain_arguments
from velocity_mobility_ros.ros_io.process.entry import end_process, run_nodes

from soliton_encirclement_ros.cli.processes.node_factory import make_nodes
from soliton_encirclement_ros.core.scenario.plan_file import load_plan
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec

USAGE = 'node_host PLAN.json NUMBER...'


def main(args: Sequence[str] | None = None) -> int:
    """Run the numbered nodes until the world is done, or they are asked to end."""
    given = [*(sys.argv[1:] if args is None else args)]
    try:
        chosen = asked(plain_arguments(['node_host', *given]))
    except StartupError as error:
        print(f'error: {error}', file=sys.stderr)
        return 2
    return run_nodes(lambda: make_nodes(chosen), _of_ros(given))


def asked(words: Sequence[str]) -> list[NodeSpec]:
    """Return the nodes to run.

    Raises:
        StartupError: The arguments are not those of ``USAGE``, or there is no such plan or node.
    """
    try:
        path, *numbers = words
        places = [int(number) for number in numbers]
        plan = load_plan(Path(path))
        return [plan[place] for place in places]
    except OSError as error:
        raise StartupError(f'{path}: {error.strerror}; usage: {USAGE}') from None
    except (ValueError, TypeError, KeyError, IndexError):
        raise StartupError(
            f'{" ".join(words) or "no arguments"}: not a plan.json of a run and numbers of its '
            f'nodes; usage: {USAGE}'
        ) from None


def _of_ros(args: Sequence[str]) -> list[str]:
    """Return the arguments of ROS, which are the last ones."""
    return [*args[args.index('--ros-args') :]] if '--ros-args' in args else []


if __name__ == '__main__':
    end_process(main(sys.argv[1:]))
