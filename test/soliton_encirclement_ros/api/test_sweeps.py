"""A sweep from Python: the runs and tables of the command, in frames."""

import json

import numpy as np
import pandas as pd
import pytest

from soliton_encirclement_ros import RunError, ScenarioError, sweep
from support.here import swarm_here, sweep_here
from support.ready import NO_HURRY, laws

__all__ = ['laws', 'swarm_here', 'sweep_here']

pytestmark = NO_HURRY

DESIGN = {
    'name': 'mine',
    'scenario': 'still',
    'changes': {'run': {'sim_duration': 3.0, 'num_agents': 3}},
    'seeds': 2,
    'design': {'grid': {
        'control.controller': ('soliton', 'predictive'),
        'swarm.encirclement_radius': np.array([15.0, 20.0]),
    }},
}  # fmt: skip


def test_a_design_in_python_is_flown_kept_and_in_the_tables_of_the_command(sweep_here):
    result = sweep(DESIGN, jobs=2)
    assert repr(result) == '<SweepResult sweeps/mine: 8 runs>'
    assert list(result.runs.columns[:4]) == [
        'point', 'controller', 'swarm.encirclement_radius', 'seed',
    ]  # fmt: skip
    assert len(result.statistics) and len(result.paired) and result.failed == {}
    done = sweep_here('sweeps/mine/sweep.yaml', '--out', 'sweeps/mine', '--json')
    assert (json.loads(done.out)['flown'], json.loads(done.out)['kept']) == (0, 8)
    written = pd.read_csv(result.folder / 'table.csv')
    pd.testing.assert_frame_equal(written, result.runs, check_dtype=False)
    assert all(path.stat().st_size > 1000 for path in result.plot())


def test_what_is_no_sweep_is_refused_in_the_words_of_the_command(sweep_here):
    with pytest.raises(ScenarioError) as caught:
        sweep('nothing')
    assert sweep_here('nothing').err == f'error: {caught.value}\n'
    with pytest.raises(ScenarioError, match="sweep: unknown key 'designs'"):
        sweep({'designs': {}})


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RunError, match='/proc/no'):
        sweep(DESIGN, '/proc/no')
