"""How many flights a study needs, and how long they take on this machine."""

from rich.console import Console
from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.cli.machine_check import wall_time
from soliton_encirclement_ros.cli.sweep_forecast import core_time
from soliton_encirclement_ros.cli.views.sweep_report import print_line
from soliton_encirclement_ros.sim.law_study import Study, runs_of_test
from soliton_encirclement_ros.sim.law_study.study_runs import AS_IT_IS, planned
from soliton_encirclement_ros.sim.sweeps import PlannedRun


def print_forecast(study: Study, jobs: int, console: Console) -> None:
    """Print what a study flies, and how long that takes from the beginning.

    Args:
        study: The study.
        jobs: Number of parallel flights.
        console: The console.
    """
    laws, seeds = len(study.laws) + len(study.ablations), len(study.seeds)
    searched, conditions = len(study.searched), len(study.conditions)
    test = [one.run for one in runs_of_test(study, {}, study.seeds[:1])]
    expected = seeds * core_time(test) + _tuning_time(study)
    flights = laws * conditions * seeds
    lines = (
        f'{study.name}: tuning of {counted(searched, "law")} x {study.budget} flights, then '
        f'{laws} x {conditions} x {seeds} (laws x conditions x seeds) = {flights} flights',
        f'time: about {wall_time(expected / jobs)} from the beginning, {jobs} in parallel',
    )
    for line in lines:
        print_line(line, console)


def _tuning_time(study: Study) -> float:
    """Return the core time [s] of tuning, whose gains are not known yet."""
    return sum(study.budget / len(runs) * core_time(runs) for runs in _tuning_runs(study))


def _tuning_runs(study: Study) -> list[list[PlannedRun]]:
    """Return a flight of every law's shipped gains under every condition of the tuning."""
    tuning = study.tuning
    return [
        [
            run
            for condition in tuning.conditions
            for run in planned(study, law, condition, AS_IT_IS, tuning.seeds[:1])
        ]
        for law in study.searched
        if tuning
    ]
