"""Refuses a study whose largest flights do not fit into the memory of the machine."""

from pathlib import Path

from soliton_encirclement_ros.cli.machine_check import check_machine, this_machine
from soliton_encirclement_ros.core.scenario.resource_needs import Needs, swept_needs
from soliton_encirclement_ros.sim.law_study import Study
from soliton_encirclement_ros.sim.law_study.study_runs import AS_IT_IS, scenario_of


def check_memory(study: Study, at_once: int, folder: Path) -> None:
    """Refuse or warn by the largest condition, which all seeds fly at about the same time.

    Args:
        study: The study.
        at_once: Number of parallel flights.
        folder: Its output folder.

    Raises:
        RunError: The flights do not fit.
    """
    law = study.laws[0]  # what a flight needs depends on its condition
    largest = max(
        swept_needs(scenario_of(study, law, condition, AS_IT_IS)).memory
        for condition in study.conditions
    )
    needs = Needs(at_once * largest, 0.0, 0.0, at_once)
    what = f'{study.name}: {at_once} flights in parallel'
    check_machine(needs, this_machine(folder), what, 'reduce --jobs')
