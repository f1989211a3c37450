"""The scalar figures of the original experiment, against loops written from their definitions."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.core.flight_statistics.original_study import (
    FIGURE_NAMES, ORIGINAL, Windows, as_published, corrected, study
)
from support.sweeping.study_oracle import (
    make_record, naive_as_published, naive_corrected, random_record
)

SHORT = Windows(average=0.2, settle=0.15, threshold=0.3)
"""Windows of 4 and 3 rows, so that small records settle and average."""


@pytest.mark.parametrize('parameters', [SHORT, ORIGINAL])
@pytest.mark.parametrize('updates', [1, 2, 5])
@pytest.mark.parametrize('seed', range(4))
def test_both_variants_are_what_their_definitions_say(seed, updates, parameters):
    record = random_record(seed, updates=updates)
    published = as_published(record, parameters)
    assert published == pytest.approx(naive_as_published(record, parameters), nan_ok=True)
    right = corrected(record, parameters)
    assert right == pytest.approx(naive_corrected(record, parameters), nan_ok=True)


def test_a_long_record_settles_after_a_true_window_only():
    record = random_record(1, ticks=260)
    record.errors[60:] = 0.01
    assert as_published(record) == pytest.approx(naive_as_published(record, ORIGINAL))
    right = naive_corrected(record, ORIGINAL)
    assert corrected(record) == pytest.approx(right, nan_ok=True)
    assert 0.0 < corrected(record)['M7_settled_frac'] <= 1.0


def test_the_study_names_both_variants():
    record = random_record(3)
    found = study(record)
    keys = [
        f'{variant}/{name}' for variant in ('as_published', 'corrected') for name in FIGURE_NAMES
    ]
    assert list(found) == keys
    assert found['as_published/M1_P95_e_pooled'] == as_published(record)['M1_P95_e_pooled']
    assert all(type(value) is float for value in found.values())


def test_without_anybody_up_everything_is_undefined():
    failed = np.ones((50, 2), dtype=bool)
    right = corrected(make_record(np.zeros((50, 2)), failed))
    assert right.pop('M7_settled_frac') == 0.0
    assert all(map(math.isnan, right.values()))


@pytest.mark.parametrize('ticks', [0, 1])
def test_the_shortest_flights(ticks):
    record = make_record(np.full((ticks, 2), 0.3))
    published, right = as_published(record), corrected(record)
    assert published['M7_settled_frac'] == right['M7_settled_frac'] == 0.0
    assert math.isnan(right['M3_P95_abs_dedt'])
    assert math.isnan(published['M1_P95_e_pooled']) == (ticks == 0)
