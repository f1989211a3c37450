"""For tests of comparisons: finished runs that nobody flew."""

import json
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.core.run.finished_run import FinishedRun
from soliton_encirclement_ros.core.scenario.scenario import Scenario


def a_scenario(
    controller: str = 'soliton_v1', seed: int = 1, name: str = 'demo', **changes: Any
) -> dict[str, Any]:
    """Return a scenario as a manifest holds it; ``changes`` are sections."""
    law = {'control': {'controller': 'soliton_v1'}}
    content = Scenario(name).with_changes(law, 'test').with_changes(changes, 'test').as_dict()
    content['control']['controller'] = controller
    content['run']['seed'] = seed
    return content


def a_summary(e_gap: float = 0.2, e_r: float = 0.1, **more: Any) -> dict[str, Any]:
    """Return a summary with these means."""
    means = {'E_gap': e_gap, 'E_r': e_r, 'E_vr': 0.5, 'rho': 0.1, 'G_max': 1.2}
    summary = {'metrics_mean': means, 'settling_time_s': 3.0, 'min_separation_m': 2.0}
    return {**summary, 'interrupted': False, 'complete': True, **more}


def a_run(
    controller: str, seed: int, e_gap: float = 0.2, e_r: float = 0.1, **more: Any
) -> FinishedRun:
    """Return a finished run; ``created`` and ``name`` may be among what else there is."""
    created = more.pop('created', '2026-01-01')
    name = more.pop('name', f'runs/{controller}-{seed}')
    return FinishedRun(name, created, a_scenario(controller, seed), a_summary(e_gap, e_r, **more))


def leave_run(
    folder: Path, scenario: dict[str, Any], summary: dict[str, Any] | None, created: str = ''
) -> Path:
    """Write the two files of a run folder that a comparison reads."""
    folder.mkdir(parents=True)
    manifest = {'created': created, 'scenario': scenario}
    (folder / 'manifest.json').write_text(json.dumps(manifest), encoding='utf-8')
    if summary is not None:
        (folder / 'summary.json').write_text(json.dumps(summary), encoding='utf-8')
    return folder
