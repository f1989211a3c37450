"""For tests of sweeps: planned runs and records that nobody flew."""

import json
from typing import Any

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.experiments.design import CONTROLLER, SweepPoint
from soliton_encirclement_ros.experiments.run_store import RunResult, pack_curves
from soliton_encirclement_ros.experiments.sweep_file import PlannedRun, SweptRun
from support.recorded.runs import a_summary

CURVES = {'time': [1.0, 2.0], 'E_gap': [0.5, 0.25], 'E_r': [0.125, 0.25], 'G_max': [2.0, 1.5]}


def a_plan(count: int, code: str = 'code') -> list[PlannedRun]:
    """Return planned runs of one short point with seeds 0, 1, and so on."""
    changes = {'run': {'sim_duration': 1.0, 'num_agents': 3}}
    scenario = Scenario('planned').with_changes(changes, 'test')
    point = SweepPoint(1, {}, scenario.control.controller)
    return [
        PlannedRun(
            point, scenario.with_changes({'run': {'seed': seed}}, 'test'), f'p{seed}',
            f'{code}-{seed}',
        )
        for seed in range(count)
    ]  # fmt: skip


def a_record(run: PlannedRun, code: str = 'code', **summary: Any) -> RunResult:
    """Return what a flight of a run would bring."""
    text = json.dumps(a_summary(**summary))
    return RunResult(run.key, code, '', text, json.dumps({'x/M1': 0.5}), pack_curves(CURVES))


def a_swept_run(
    number: int, seed: int, values: dict[str, Any], study: dict[str, float] | None = None,
    **summary: Any,
) -> SweptRun:  # fmt: skip
    """Return a finished run of a sweep; ``values`` are those of its point."""
    point = SweepPoint(number, values, values.get(CONTROLLER, 'soliton'))
    verdict = {'encircled': True, 'why': ''}
    return SweptRun(point, seed, {'verdict': verdict, **a_summary(**summary)}, study or {})


class Desk:
    """A desk that only notes; ``turns`` is how often it wants to go on."""

    def __init__(self, turns: int = 100_000) -> None:
        self.finished: list[tuple[PlannedRun, RunResult]] = []
        self.lines: list[str] = []
        self._turns = turns

    def take(self, finished: Any) -> None:
        """Note finished runs."""
        self.finished += finished

    def note(self, line: str) -> None:
        """Note a line."""
        self.lines.append(line)

    def turn(self) -> bool:
        """Count a turn."""
        self._turns -= 1
        return self._turns >= 0
