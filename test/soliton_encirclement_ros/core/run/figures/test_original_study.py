"""The scalar figures of the original experiment, against loops written from their definitions."""

import math

import numpy as np
import pytest
from soliton_encirclement_ros.core.run.figures.original_study import (
    ORIGINAL,
    StudyParameters,
    as_published,
    corrected,
    study,
)
from soliton_encirclement_ros.core.run.figures.study_figures import FIGURE_NAMES
from support.sweeping.study_oracle import (
    UPDATES,
    V_MAX,
    T,
    make_record,
    naive_as_published,
    naive_corrected,
    percentile,
    random_record,
)

UPDATE = 0.01
SHORT = StudyParameters(t0=0.12, e_thr=0.3, ma_w_sec=0.2, settle_window_sec=0.15)
"""Windows of 4 and 3 rows, so that small records settle and average."""


@pytest.mark.parametrize('parameters', [SHORT, SHORT._replace(t0=0.0), ORIGINAL])
@pytest.mark.parametrize('updates', [1, 2, 5])
@pytest.mark.parametrize('seed', range(8))
def test_both_variants_are_what_their_definitions_say(seed, updates, parameters):
    record = random_record(seed, updates=updates)
    published = as_published(record, parameters)
    assert published == pytest.approx(naive_as_published(record, parameters), nan_ok=True)
    right = corrected(record, parameters)
    assert right == pytest.approx(naive_corrected(record, parameters), nan_ok=True)


def test_a_long_record_settles_after_a_true_window_only():
    record = random_record(1, ticks=260)
    record.errors[60:] = 0.01
    for parameters in (ORIGINAL, ORIGINAL._replace(t0=4.0)):
        expected = naive_as_published(record, parameters)
        assert as_published(record, parameters) == pytest.approx(expected)
        right = naive_corrected(record, parameters)
        assert corrected(record, parameters) == pytest.approx(right, nan_ok=True)
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


def test_a_constant_error_has_no_rate_and_settles_at_once():
    right = corrected(make_record(np.full((200, 4), -0.04)))
    assert right['M1_P95_e_pooled'] == right['M2_P95_P95i'] == 0.04
    assert right['M3_P95_abs_dedt'] == 0.0
    assert right['M4_RMS_osc'] == pytest.approx(0.0, abs=1e-12)
    assert right['M7_settle_median'] == right['M7_settle_P95'] == T
    assert right['M7_settled_frac'] == 1.0


def test_a_constant_speed_counts_from_the_first_tick_on():
    record = make_record(np.zeros((100, 2)), speeds=np.full((100, UPDATES, 2), V_MAX))
    right, published = corrected(record), as_published(record)
    assert right['M5_mean_v2'] == right['M6_Pr_sat'] == 1.0
    assert published['M5_mean_v2'] == published['M6_Pr_sat'] == pytest.approx(0.99)


def sawtooth(ticks=400, amplitude=0.5, period=40):
    return amplitude * np.abs(np.arange(ticks) % period / (period / 2) - 1.0)[:, None]


def test_a_sawtooth_looks_five_times_as_fast_as_published():
    record = make_record(sawtooth())
    slope = 0.5 / (20 * T)
    assert corrected(record)['M3_P95_abs_dedt'] == pytest.approx(slope)
    assert as_published(record)['M3_P95_abs_dedt'] == pytest.approx(5.0 * slope)


def test_rates_that_are_mostly_small_look_twice_as_fast_as_published():
    """A change is one row in five: the P95 of rows is five times the P75 of changes."""
    ranks = np.random.default_rng(0).permutation(np.linspace(0.0, 1.0, 4001))
    shape = math.log(0.4) / math.log(0.75 / 0.95)  # P75 = 0.4 P95
    steps = ranks**shape * (-1.0) ** np.arange(4001)
    record = make_record(np.cumsum(steps)[:, None] + 100.0)
    rates = ranks[1:] ** shape / T
    published, right = as_published(record), corrected(record)
    assert right['M3_P95_abs_dedt'] == pytest.approx(np.percentile(rates, 95))
    assert published['M3_P95_abs_dedt'] == pytest.approx(5 * np.percentile(rates, 75), rel=0.01)
    ratio = published['M3_P95_abs_dedt'] / right['M3_P95_abs_dedt']
    assert ratio == pytest.approx(2.0, rel=0.01)


def wave(period, ticks=4000, amplitude=0.2):
    return (0.5 + amplitude * np.sin(2.0 * math.pi * np.arange(ticks) * T / period))[:, None]


def test_the_average_over_one_second_is_one_over_a_fifth_as_published():
    """An average over a whole period leaves nothing of a wave, so all of it counts."""
    full = 0.2 / math.sqrt(2.0)
    second, fifth = make_record(wave(1.0)), make_record(wave(0.2))
    assert corrected(second)['M4_RMS_osc'] == pytest.approx(full, rel=0.01)
    assert as_published(fifth)['M4_RMS_osc'] == pytest.approx(full, rel=0.01)
    assert as_published(second)['M4_RMS_osc'] < 0.2 * full


def test_five_seconds_without_error_are_one_as_published():
    errors = np.full((300, 1), 0.2)
    errors[100:119] = errors[130:150] = errors[200:] = 0.0
    record = make_record(errors)
    assert as_published(record)['M7_settle_median'] == pytest.approx(131 * T)
    assert corrected(record)['M7_settle_median'] == pytest.approx(201 * T)
    short = make_record(errors[:299])
    assert corrected(short)['M7_settled_frac'] == 0.0
    assert math.isnan(corrected(short)['M7_settle_median'])
    assert math.isnan(corrected(short)['M7_settle_P95'])


def test_an_outage_counts_as_published_and_not_as_corrected():
    errors, failed = np.full((300, 2), 0.1), np.zeros((300, 2), dtype=bool)
    errors[100:200, 0], failed[100:200, 0] = 0.9, True
    speeds = np.full((300, UPDATES, 2), 2.0)
    speeds[100:200, :, 0] = V_MAX
    record = make_record(errors, failed, speeds)
    published, right = as_published(record), corrected(record)
    assert published['M1_P95_e_pooled'] == 0.9
    assert published['M6_Pr_sat'] == pytest.approx(1 / 6, abs=0.001)
    assert right['M1_P95_e_pooled'] == 0.1
    assert right['M3_P95_abs_dedt'] == right['M6_Pr_sat'] == 0.0
    assert right['M4_RMS_osc'] == pytest.approx(0.0, abs=1e-12)
    assert right['M5_mean_v2'] == pytest.approx(0.04)


def test_an_outage_ends_what_settles():
    errors, failed = np.zeros((240, 1)), np.zeros((240, 1), dtype=bool)
    failed[99] = True
    assert corrected(make_record(errors, failed))['M7_settle_median'] == pytest.approx(101 * T)
    failed[199:] = True
    assert corrected(make_record(errors, failed))['M7_settled_frac'] == 0.0


def test_an_agent_that_is_always_down_only_counts_as_one_that_does_not_settle():
    errors, failed = np.full((120, 2), 0.01), np.zeros((120, 2), dtype=bool)
    errors[:, 1], failed[:, 1] = 0.9, True
    right = corrected(make_record(errors, failed))
    assert right['M2_P95_P95i'] == 0.01
    assert right['M7_settled_frac'] == 0.5


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


def test_rows_before_the_first_tick_have_no_error_as_published():
    """Four rows of zero, then the first tick's: one change, in one row."""
    published = as_published(make_record([[0.5]]), ORIGINAL._replace(settle_window_sec=0.2))
    assert published['M1_P95_e_pooled'] == pytest.approx(percentile([0.0] * 4 + [0.5], 95))
    assert published['M3_P95_abs_dedt'] == pytest.approx(percentile([0.0] * 3 + [50.0], 95))
    assert published['M7_settle_median'] == pytest.approx(UPDATE)
