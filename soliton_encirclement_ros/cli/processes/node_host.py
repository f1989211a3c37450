"""Runs some nodes of a saved plan in one process: ``python -m ... RUNNER PLAN.json NUMBER...``.

RUNNER is the process id of the parent; when that process is gone, this one ends as well.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rclpy.node import Node
from velocity_mobility_ros.ros_io.process.entry import end_process, run_nodes

from soliton_encirclement_ros.cli.processes.node_factory import make_nodes
from soliton_encirclement_ros.cli.processes.parent_death import killed_with_parent
from soliton_encirclement_ros.core.scenario.plan_file import load_plan


def main(args: Sequence[str]) -> int:
    """Run the numbered nodes until the world is done, a signal arrives, or the parent is gone."""
    runner = int(args[0])
    plan = load_plan(Path(args[1]))
    chosen = [plan[int(number)] for number in args[2:]]

    def is_orphan() -> bool:
        return os.getppid() != runner

    def make() -> list[Node]:
        with killed_with_parent():  # a host that flies ends in order instead
            return [] if is_orphan() else make_nodes(chosen)

    return run_nodes(make, [], is_orphan)


if __name__ == '__main__':
    end_process(main(sys.argv[1:]))
