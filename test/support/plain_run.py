"""For tests of the simulation: the same run by the plain loop, written row by row."""

from pathlib import Path
from typing import Any

from soliton_encirclement_ros.controllers import recorded_names
from soliton_encirclement_ros.core.run.run_folder import RunLog
from soliton_encirclement_ros.core.run.summary import summarise
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.plain_loop import SwarmLoop, plain_loop

TIMED = ('wall_s', 'real_time_factor')
"""What no two runs have in common."""


def fly_plainly(scenario: Scenario, folder: Path) -> tuple[SwarmLoop, dict[str, Any]]:
    """Fly a scenario and leave both tables; return the loop and the summary."""
    names = recorded_names(
        scenario.control.controller, scenario.is_filtered, scenario.is_estimated
    )
    log = RunLog(folder, names)
    loop = plain_loop(scenario)
    loop.on_row, loop.on_sample = log.add_agent, log.add_sample
    loop.fly()
    log.close()
    facts = {'wall_s': 0.0, 'real_time_factor': 0.0, 'missed_answers': 0}
    facts |= loop.world.commands.facts
    judged = summarise(scenario, loop.observer, facts)
    return loop, {**judged, 'interrupted': False, 'complete': True}


def untimed(summary: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return a summary in its order, without the facts of the wall clock."""
    return [(key, value) for key, value in summary.items() if key not in TIMED]
