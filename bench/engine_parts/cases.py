"""One measurement in a process of its own, so that its peak memory is its own.

    (cd bench; python -m engine_parts.cases KIND LAW AGENTS WORK)

Flies WORK agent-ticks, as flights of at most 300 s with different seeds, always the same ones.
Only the flights count, neither compiling nor placing.
"""

import functools
import json
import logging
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from machine import peak_memory

from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario

BENCH = Path(__file__).parents[1]
SCENARIO = 'failures'
EVERY = 2
"""Ticks between two samples of every agent: 10 Hz at 20 ticks per second."""

SINKS = {
    'parquet': ('parquet', EVERY),
    'csv': ('csv', EVERY),
    'every tick': ('csv', 1),
    'by repr': ('csv', 1),
}
"""The format of a kind, and ticks between two samples."""

LONGEST = 6000
"""Ticks of a flight: 300 s."""

SHORTEST = 4
"""Ticks of the smallest flight: some samples."""

ROOM = 0.5
"""Radius [m] per agent of a ring on which agents can keep 2 m; a spacing of 3.1 m."""

SENSED = 'sensed'
CLOCKS = 'sensed, wrong clocks'
SENSING = {
    'position_noise_xy': 0.3, 'position_noise_z': 0.3, 'velocity_noise_xy': 0.1,
    'velocity_noise_z': 0.1, 'position_drift_xy': 0.5, 'position_drift_z': 0.5,
    'odom_period': 0.05, 'odom_latency': 0.1, 'dropouts_per_min': 2.0, 'command_latency': 0.2,
}  # fmt: skip
"""What the odometry and the command link of all members do, the target's included."""

CLOCK_OFFSET = 0.02
"""Standard deviation of wrong clocks [s]."""

WARM_UP = 50
"""A round of so much less work, before the one that counts, does not count."""


class Case(NamedTuple):
    """What is measured: one of ``KINDS``, a law, and how much."""

    kind: str
    law: str
    agents: int
    work: int


class Outcome(NamedTuple):
    """What came of a case.

    Attributes:
        rates: Agent-ticks per second of wall time, one for every round.
        placing: Time [s] that it takes to set up one flight.
        peak: Peak memory [MB].
        busy: Share of the wall time in which the process had a core.
    """

    rates: list[float]
    placing: float
    peak: float
    busy: float

    @property
    def rate(self) -> float:
        """Agent-ticks per second, median over the rounds."""
        return statistics.median(self.rates)

    @property
    def spread(self) -> float:
        """How far the rounds differ, as a share of the median."""
        return (max(self.rates) - min(self.rates)) / self.rate


def measure(case: Case) -> Outcome:
    """Return the outcome of one round, flown by a fresh process."""
    command = [sys.executable, '-m', 'engine_parts.cases', *map(str, case)]
    done = subprocess.run(command, check=False, cwd=BENCH, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f'{" ".join(map(str, case))}: ended with {done.returncode}')
    return Outcome(**json.loads(done.stdout.splitlines()[-1]))


def together(rounds: Sequence[Outcome]) -> Outcome:
    """Return what came of a case in several rounds."""
    return Outcome(
        [rate for outcome in rounds for rate in outcome.rates],
        statistics.median(outcome.placing for outcome in rounds),
        max(outcome.peak for outcome in rounds),
        min(outcome.busy for outcome in rounds),
    )


@functools.cache
def base_scenario() -> Scenario:
    """Return the scenario that all flights are made of."""
    return load_scenario(find_scenario(SCENARIO))


def scenario_of(case: Case, ticks: int, seed: int) -> Scenario:
    """Return what is flown."""
    scenario = base_scenario()
    duration = ticks * scenario.swarm.control_period
    run = {'num_agents': case.agents, 'sim_duration': duration, 'seed': seed}
    sensed = case.kind in (SENSED, CLOCKS)
    kept = sensed or case.kind == 'filtered'
    radius = scenario.swarm.encirclement_radius
    changes = {
        'run': run,
        'control': {'controller': case.law},
        'safety': {'separation_filter': kept},
        'swarm': {'encirclement_radius': max(radius, ROOM * case.agents) if kept else radius},
        'mobility': SENSING if sensed else {},
        'radio': {'clock_offset': CLOCK_OFFSET} if case.kind == CLOCKS else {},
    }
    return scenario.with_changes(changes, 'bench')


def engine_flight(case: Case, ticks: int, seed: int) -> Callable[[], None]:
    """Place a swarm for the compiled engine; return what flies it."""
    from soliton_encirclement_ros.sim.engine import Engine

    engine = Engine(scenario_of(case, ticks, seed), EVERY)
    sizes: list[int] = []
    engine.on_chunk = lambda chunk: sizes.append(chunk.agents.shape[0] * chunk.agents.shape[1])

    def fly() -> None:
        engine.fly()
        assert sum(sizes) == ticks // EVERY * case.agents, 'an agent was not recorded'

    return fly


def recorded_flight(case: Case, ticks: int, seed: int) -> Callable[[], None]:
    """Place a swarm whose telemetry goes to disk as ``SINKS`` has it."""
    from soliton_encirclement_ros.sim.engine import Engine
    from soliton_encirclement_ros.sim.sinks.telemetry_sinks import make_sinks

    scenario = scenario_of(case, ticks, seed)
    format_, every = SINKS[case.kind]
    engine = Engine(scenario, every)

    def fly() -> None:
        with tempfile.TemporaryDirectory() as folder:
            (sink,) = make_sinks([format_], Path(folder), scenario)
            engine.on_chunk = sink.write
            engine.fly()
            sink.close()
            assert not sink.error, sink.error

    return fly


def repr_flight(case: Case, ticks: int, seed: int) -> Callable[[], None]:
    """Place a swarm whose telemetry becomes CSV at every tick, every number printed by Python."""
    from soliton_encirclement_ros.sim.sinks import csv_sink

    def rows_of(numbers: Any) -> list[bytes]:
        text = repr(numbers.tolist())[2:-2].replace(', ', ',')
        return text.encode('ascii').split(b'],[')

    csv_sink.rows_of = rows_of
    return recorded_flight(case, ticks, seed)


def loop_flight(case: Case, ticks: int, seed: int) -> Callable[[], None]:
    """Place a swarm for the same tick in plain Python."""
    from soliton_encirclement_ros.sim.engine import Engine

    engine = Engine(scenario_of(case, ticks, seed), is_compiled=lambda: False)
    return lambda: bool(engine.fly())


def gradysim_flight(case: Case, ticks: int, seed: int) -> Callable[[], None]:
    """Build a simulation of gradysim: its mobility handler and nodes that do nothing.

    The law ``telemetry`` sends every node its position at every control tick, as agents get it;
    the law ``idle`` sends nothing.
    """
    from engine_parts import gradysim_idle

    scenario = scenario_of(case._replace(law='soliton'), ticks, seed)
    return gradysim_idle.build(scenario, case.law == 'telemetry')


KINDS: dict[str, Callable[[Case, int, int], Callable[[], None]]] = {
    'engine': engine_flight,
    'filtered': engine_flight,
    SENSED: engine_flight,
    CLOCKS: engine_flight,
    'parquet': recorded_flight,
    'csv': recorded_flight,
    'every tick': recorded_flight,
    'by repr': repr_flight,
    'loop': loop_flight,
    'gradysim': gradysim_flight,
}


def carry_out(case: Case) -> Outcome:
    """Fly one round of a case in this process."""
    if case.kind not in ('loop', 'gradysim'):
        from soliton_encirclement_ros.sim import get_ready

        get_ready()
    logging.disable()
    fly_round(case._replace(work=case.work // WARM_UP))
    began, worked = time.perf_counter(), time.process_time()
    rate, placing = fly_round(case)
    busy = (time.process_time() - worked) / (time.perf_counter() - began)
    return Outcome([rate], placing, peak_memory(), busy)


def fly_round(case: Case) -> tuple[float, float]:
    """Return agent-ticks per second of one round, and the time [s] of placing one flight."""
    ticks = min(LONGEST, max(SHORTEST, case.work // case.agents))
    flights = max(1, round(case.work / (ticks * case.agents)))
    placing = flying = 0.0
    for seed in range(flights):
        began = time.perf_counter()
        fly = KINDS[case.kind](case, ticks, seed)
        placed = time.perf_counter()
        fly()
        flying += time.perf_counter() - placed
        placing += placed - began
    return flights * ticks * case.agents / flying, placing / flights


def main(arguments: list[str]) -> None:
    """Print the outcome of a case as one line of JSON."""
    kind, law, *numbers = arguments
    print(json.dumps(carry_out(Case(kind, law, *map(int, numbers)))._asdict()))


if __name__ == '__main__':
    main(sys.argv[1:])
