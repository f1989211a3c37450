"""What is recorded, and what cannot be: every refusal is one line that says what can."""

import importlib

import pytest

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.recorded_data import (
    RecordedData, recording_of, ticks_between, usable_formats
)
from soliton_encirclement_ros.sim.sinks.telemetry_sinks import FORMATS

LONG = Scenario().with_changes({'run': {'sim_duration': 1000.0}}, 'test')


@pytest.mark.parametrize(
    ('names', 'formats'),
    [
        (['bag', 'csv', 'bag'], ('bag', 'csv')),
        ([*FORMATS], tuple(FORMATS)),
        (['none', 'none'], ()),
        ([], ()),
    ],
)
def test_formats_come_once_each(names, formats):
    assert usable_formats(names) == formats


@pytest.mark.parametrize(
    ('names', 'words'),
    [
        (['xlsx'], "format 'xlsx' must be one of csv, parquet, bag, none"),
        (['x' * 100], f"format '{'x' * 40}' must be one of"),
        (['none', 'csv'], "format 'none' stands alone"),
    ],
)
def test_other_formats_are_refused(names, words):
    with pytest.raises(RunError) as caught:
        usable_formats(names)
    assert words in str(caught.value)
    assert '\n' not in str(caught.value)


@pytest.mark.parametrize(('name', 'library'), [('parquet', 'pyarrow'), ('bag', 'rosbags')])
def test_a_library_that_is_missing_is_named(monkeypatch, name, library):
    def refuse(module):
        raise ModuleNotFoundError(module)

    monkeypatch.setattr(importlib, 'import_module', refuse)
    with pytest.raises(RunError) as caught:
        usable_formats([name])
    assert str(caught.value) == f"format '{name}' needs {library}: pip install {library}"


def test_a_library_that_is_broken_says_why(monkeypatch):
    def refuse(module):
        raise ImportError('pyarrow requires NumPy 2.0\nor newer')

    monkeypatch.setattr(importlib, 'import_module', refuse)
    with pytest.raises(RunError) as caught:
        usable_formats(['parquet'])
    expected = "format 'parquet': pyarrow cannot be loaded: pyarrow requires NumPy 2.0 or newer"
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    ('rate', 'words'),
    [
        (7, 'telemetry rate 7 Hz: must be the control rate, 20 Hz, or a whole fraction of it; '
            'nearest: 6.66667 or 10'),
        (3, 'nearest: 2.85714 or 3.33333'),
        (15, 'nearest: 10 or 20'),
        (21, 'nearest: 20'),
        (-5, 'nearest: 20'),
        (float('nan'), 'nearest: 20'),
        (float('inf'), 'nearest: 20'),
        (0.0009, 'no sample in 1000 s; at least 0.001'),
        (1e-320, 'no sample in 1000 s; at least 0.001'),
    ],
)  # fmt: skip
def test_other_rates_are_refused_with_those_that_fit(rate, words):
    with pytest.raises(RunError) as caught:
        ticks_between(LONG, rate)
    assert words in str(caught.value)
    assert '\n' not in str(caught.value)


@pytest.mark.parametrize(('rate', 'every'), [(6.66667, 3), (2.85714, 7), (0.001, 20_000)])
def test_what_a_refusal_names_is_taken(rate, every):
    assert ticks_between(LONG, rate) == every


@pytest.mark.parametrize('period', [0.05, 0.03])
def test_every_whole_fraction_of_any_control_rate_fits(period):
    scenario = LONG.with_changes({'swarm': {'control_period': period}}, 'test')
    for every in range(1, 400):
        assert ticks_between(scenario, 1.0 / period / every) == every


def test_a_recording_has_all_of_it():
    assert recording_of(LONG, ('csv',), None, False, False) == RecordedData()
    assert recording_of(LONG, (), 5.0, True, True) == RecordedData((), 4, True, True)


def test_a_study_that_does_not_fit_into_memory_is_refused():
    huge = LONG.with_changes({'run': {'num_agents': 1000, 'sim_duration': 36000.0}}, 'test')
    recording_of(huge, ('csv',), None, False, False)
    with pytest.raises(RunError, match=r'the study of 1000 agents over 36000 s takes 40 GB'):
        recording_of(huge, ('csv',), None, True, False)
