"""Selection of the recorded data of a flight, and its checks."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.run.machine_resources import study_memory
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.sinks.telemetry_sinks import NO_FORMAT, load_format

EXACT = 1e-4
"""Relative tolerance of a rate against one that fits: users write 6.6667."""

ENDLESS = 1e12
"""More ticks than a flight has."""

FEW = 2.0
"""Samples of the telemetry per second [Hz] where nothing else is asked of many runs."""

MAX_BYTES = 4e9
"""Memory that the study may take."""


class RecordedData(NamedTuple):
    """Output of a flight besides its summary.

    Attributes:
        formats: Names of ``sinks.FORMATS``; none: no telemetry at all.
        every: Ticks between two samples in the telemetry. The summary uses every tick.
        study: Whether the summary has the figures of the original's study.
        pictures: Whether plots will be drawn, for which paths are kept.
    """

    formats: tuple[str, ...] = ('csv',)
    every: int = 1
    study: bool = False
    pictures: bool = False


def usable_formats(names: Iterable[str]) -> tuple[str, ...]:
    """Return formats, each once, with their libraries loaded; ``none`` alone for none.

    Raises:
        RunError: There is no such format, or its library is not installed.
    """
    wanted = tuple(dict.fromkeys(names))
    if wanted == (NO_FORMAT,):
        return ()
    for name in wanted:
        if name == NO_FORMAT:
            raise RunError(f'format {NO_FORMAT!r} stands alone, not with other formats')
        load_format(name)
    return wanted


def recording_of(
    scenario: Scenario, formats: tuple[str, ...], rate: float | None, study: bool, pictures: bool,
    is_one_of_many: bool = False,
) -> RecordedData:  # fmt: skip
    """Return the recorded data of a scenario, after checking that it is possible.

    Args:
        scenario: Scenario of the flight.
        formats: Usable formats.
        rate: Samples of the telemetry per second [Hz]; None for every control tick, or ``FEW``
            if it is one of many.
        study: Whether the figures of the study are requested.
        pictures: Whether plots are requested.
        is_one_of_many: Whether several flights are asked for.

    Raises:
        RunError: The rate does not fit the control rate, or the study takes too much memory.
    """
    size = study_memory(scenario) if study else 0.0
    if size > MAX_BYTES:
        raise RunError(
            f'the study of {scenario.run.num_agents} agents over {scenario.run.sim_duration:g} s '
            f'takes {size / 1e9:.0f} GB, at most {MAX_BYTES / 1e9:.0f}: fly shorter'
        )
    few = round(1.0 / (FEW * scenario.swarm.control_period)) if is_one_of_many else 1
    every = (
        min(max(1, few), scenario.ticks) if rate is None else ticks_between(scenario, rate)
    )
    return RecordedData(formats, every, study, pictures)


def ticks_between(scenario: Scenario, rate: float) -> int:
    """Return how many ticks lie between two samples at a rate [Hz].

    Raises:
        RunError: The rate does not fit the control rate, or there would be no sample.
    """
    control = 1.0 / scenario.swarm.control_period
    every = min(control / rate, ENDLESS) if 0.0 < rate < math.inf else 0.0
    whole = max(1, round(every))
    if abs(every - whole) > EXACT * whole:
        low = max(1, math.floor(every))
        nearest = (low + 1, low) if every > 1.0 else (1,)
        fitting = dict.fromkeys(f'{control / k:g}' for k in nearest)
        raise RunError(
            f'telemetry rate {rate:g} Hz: must be the control rate, {control:g} Hz, or a whole '
            f'fraction of it; nearest: {" or ".join(fitting)}'
        )
    if whole > scenario.ticks:
        raise RunError(
            f'telemetry rate {rate:g} Hz: no sample in {scenario.run.sim_duration:g} s; '
            f'at least {control / scenario.ticks:g}'
        )
    return whole
