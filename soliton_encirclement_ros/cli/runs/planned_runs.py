"""What ``swarm simulate`` and Python fly: every scenario, law and seed, checked beforehand."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Optional

from soliton_encirclement_ros.cli.options import unique_names
from soliton_encirclement_ros.cli.runs.batch_runner import Job
from soliton_encirclement_ros.cli.runs.run_start import check_machine, this_machine, wall_time
from soliton_encirclement_ros.cli.scenario_verbs import read_scenario
from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.run.machine_resources import all_needs, simulation_needs
from soliton_encirclement_ros.core.run.run_folder import create_run_folder
from soliton_encirclement_ros.core.scenario.placement import check_starts
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.scenario_sections import settings_of_law
from soliton_encirclement_ros.sim.allocation import check_links
from soliton_encirclement_ros.sim.recorded_data import recording_of
from velocity_mobility_ros.core.plugins import short_name
from velocity_mobility_ros.core.user_errors import counted

ALL = 'all'
MAX_SEEDS = 10_000
OF_NODES = dict.fromkeys(
    ('run.real_time_factor', 'run.lockstep_timeout', 'run.startup_timeout'),
    'it is for nodes, and there are none',
)
ADVICE = 'fly fewer or shorter, or record less: --no-pictures, --telemetry-rate, --format none'


def planned_runs(
    names: Sequence[str],
    controllers: Sequence[str],
    settings: list[str],
    seeds: int | Sequence[int],
    vehicle: Optional[str] = None,
    **run: Any,
) -> list[Scenario]:
    """Return what is flown: every scenario under every law and seed; warn of unlikely values.

    Args:
        names: Files, or names of installed scenarios.
        controllers: Laws, ``all`` for every one that comes along; none: that of the scenario.
        settings: Texts of the form ``section.key=value``.
        seeds: The seeds, or how many, beginning with the scenario's.
        vehicle: File of a vehicle, or name of an installed one.
        **run: Values of the section ``run``; None is left out.

    Raises:
        ScenarioError: There is no such scenario or law, or a value is refused.
        RunError: One needs too much memory.
    """
    laws, warned = laws_of(controllers), set[str]()
    planned = [
        variant
        for name in names
        for law in laws or (None,)
        for variant in with_seeds(
            read_scenario(
                name,
                settings_of_law(settings, law, laws) if law else settings,
                law,
                vehicle=vehicle,
                unused=OF_NODES,
                warned=warned,
                **run,
            ),
            seeds,
        )
    ]
    for one in planned:
        check_links(one)
        check_starts(one)
    return planned


def laws_of(controllers: Sequence[str]) -> list[str]:
    """Return laws, each once, with every law that comes along for ``all``."""
    return unique_names(
        law for name in controllers for law in (CONTROLLERS if name == ALL else [name])
    )


def with_seeds(scenario: Scenario, seeds: int | Sequence[int]) -> list[Scenario]:
    """Return a scenario under several seeds.

    Args:
        scenario: The selected scenario.
        seeds: The seeds, or how many, beginning with the scenario's.

    Raises:
        ScenarioError: A seed is too large.
    """
    first = scenario.run.seed
    chosen = range(first, first + seeds) if isinstance(seeds, int) else seeds
    return [scenario.with_changes({'run': {'seed': one}}, 'command line') for one in chosen]


def jobs_of(
    planned: Sequence[Scenario], out: Path, command: list[str], formats: tuple[str, ...],
    rate: Optional[float] = None, study: bool = False, pictures: bool = False,
) -> list[Job]:  # fmt: skip
    """Return a job for every scenario, with a run folder of its own.

    Args:
        planned: What is flown.
        out: Folder for the run folders.
        command: The command line that the manifests name.
        formats: Usable formats of the telemetry.
        rate: Samples of the telemetry per second [Hz], as of ``recording_of``.
        study: Whether the figures of the study are requested.
        pictures: Whether plots are requested.

    Raises:
        RunError: The rate does not fit, or the study takes too much memory.
    """
    many = len(planned) > 1
    return [
        Job(
            one,
            partial(_folder, out, one, command),
            recording_of(one, formats, rate, study, pictures, many),
        )
        for one in planned
    ]


def _folder(out: Path, scenario: Scenario, command: list[str]) -> Path:
    label = f'{short_name(scenario.control.controller)}-s{scenario.run.seed}'
    return create_run_folder(out, scenario, command, label)


def check_memory(flights: Sequence[Job], at_once: int, out: Path) -> str:
    """Return what runs will take; refuse those for which this machine has no memory.

    Raises:
        RunError: It is named.
    """
    each = [
        simulation_needs(job.scenario, data.formats, data.every, data.pictures)
        for job in flights for data in [job.recording]
    ]  # fmt: skip
    needs = all_needs(each, at_once)
    run = max((job.scenario.run for job in flights), key=lambda one: one.num_agents)
    many = f'{len(flights)} runs of up to ' if len(flights) > 1 else ''
    what = f'{many}{counted(run.num_agents, "agent")} over {run.sim_duration:g} s'
    check_machine(needs, this_machine(out), what, ADVICE)
    return f'{what}: about {wall_time(max(needs.wall, 1.0))}, {needs.disk / 1e6:.0f} MB in {out}'
