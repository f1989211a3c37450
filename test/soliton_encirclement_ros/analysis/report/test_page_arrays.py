"""Arrays in a page: nothing that can be seen is lost."""

import base64

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.analysis.report.page_arrays import (
    curve,
    decimated,
    packed,
    with_gaps,
)


def unpacked(text, kind='<f4'):
    return np.frombuffer(base64.b64decode(text), kind)


def test_numbers_come_back_as_float32():
    values = np.array([0.0, -1.5, np.pi, np.nan, 1e300])
    with np.errstate(over='ignore'):
        assert np.array_equal(unpacked(packed(values)), values.astype('f4'), equal_nan=True)
    assert list(unpacked(packed([-1, 3], '<i2'), '<i2')) == [-1, 3]


@given(st.integers(1, 5000), st.integers(20, 400), st.integers(0, 2**32 - 1))
def test_decimation_keeps_ends_order_and_extremes(count, most, seed):
    rng = np.random.default_rng(seed)
    time, value = np.sort(rng.uniform(0.0, 99.0, count)), rng.normal(size=count)
    fewer_time, fewer = decimated(time, value, most)
    assert len(fewer) <= most + 4
    assert fewer.max() == value.max() and fewer.min() == value.min()
    assert fewer_time[0] == time[0] and fewer_time[-1] == time[-1]
    assert np.all(np.diff(fewer_time) >= 0.0)
    assert np.isin(fewer, value).all()


def test_every_peak_stays_in_its_place():
    time = np.arange(100_000) * 0.01
    value = np.zeros(len(time))
    value[[12_345, 67_890]] = 5.0, -7.0
    fewer_time, fewer = decimated(time, value, 1000)
    assert time[12_345] == fewer_time[fewer == 5.0] and time[67_890] == fewer_time[fewer == -7.0]


def test_decimation_keeps_holes():
    value = np.sin(np.arange(20_000) * 0.01)
    value[7000] = np.nan
    assert np.isnan(decimated(np.arange(20_000.0), value, 500)[1]).sum() == 1


def test_a_line_breaks_where_samples_are_missing():
    time = np.array([0.0, 0.1, 0.2, 5.0, 5.1])
    broken_time, broken = with_gaps(time, np.arange(5.0))
    assert np.array_equal(broken, [0.0, 1.0, 2.0, np.nan, 3.0, 4.0], equal_nan=True)
    assert 0.2 < broken_time[3] < 5.0


def test_rare_samples_are_no_holes():
    time = np.arange(10) * 10.0
    assert len(with_gaps(time, time)[0]) == 10


def test_what_is_infinite_is_a_hole():
    shown = unpacked(curve(np.arange(3.0), np.array([1.0, np.inf, 2.0]), 100)['y'])
    assert np.array_equal(shown, [1.0, np.nan, 2.0], equal_nan=True)
