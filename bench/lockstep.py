"""How many lockstep ticks per second one process manages over real DDS.

The reference point is the original experiment (10 agents, no ROS at all): about 140 ticks per
second on the machine of its author, who published 64 s for 9,000 ticks of simulated work.

    python bench/lockstep.py [AGENTS ...]
"""

import json
import os
import statistics
import sys
import time

import rclpy

from soliton_encirclement_ros.cli.runs.node_host import make_nodes
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, swarm_plan
from velocity_mobility_ros.ros_io.process.node_process import close, spin
from velocity_mobility_ros.ros_io.process.teardown import destroy

ORIGINAL_TICKS_PER_SECOND = 140.0
TICKS = 600
REPEATS = 3


def measure(agents: int) -> float:
    """Return ticks per second of one run in this process."""
    run = {'num_agents': agents, 'sim_duration': TICKS * 0.05}
    scenario = Scenario().with_changes({'run': run}, 'bench')
    nodes = make_nodes(swarm_plan(scenario, PlanOptions(record=False, monitor=False)))
    world, begun = nodes[0].world, []

    def note_the_start() -> bool:
        if world.tick > 0 and not begun:
            begun.extend((world.tick, time.perf_counter()))
        return False

    try:
        spin(nodes, note_the_start)
        tick, at = begun
        return (world.tick - tick) / (time.perf_counter() - at)
    finally:
        close(nodes)
        destroy(nodes)


def main() -> None:
    """Measure every size several times and print the medians."""
    os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    rclpy.init()
    sizes = [int(size) for size in sys.argv[1:]] or [10]
    rows = []
    for agents in sizes:
        rates = [measure(agents) for _ in range(REPEATS)]
        rate = statistics.median(rates)
        runs = [round(each, 1) for each in rates]
        row = {'agents': agents, 'ticks_per_s': round(rate, 1), 'runs': runs}
        if agents == 10:
            row['ratio_to_original'] = round(rate / ORIGINAL_TICKS_PER_SECOND, 2)
        rows.append(row)
        print(row)
    rclpy.shutdown()
    print(json.dumps(rows))


if __name__ == '__main__':
    main()
