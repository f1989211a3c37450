"""Verdicts: numbers with intervals where the data tell, a line of reason or doubt where not."""

import re

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.fit.fit_records import (
    DELAY, NAMES, UNITS, Errors, FitSettings, ParameterEstimate, with_acceleration_lags
)
from soliton_encirclement_ros.analysis.fit.fitting import fit_warnings
from soliton_encirclement_ros.analysis.fit.identifiability import Excitation, judge
from velocity_mobility_ros.core.parameter_declaration import declarations
from velocity_mobility_ros.vehicles.second_order import SecondOrderParameters

VALUES = np.array([0.8, 3.0, 8.0, 0.5, 4.0, 4.0, 0.1, np.nan, np.nan])
HALF = np.array([0.01] * DELAY + [0.004, np.nan, np.nan])
LIVELY = Excitation(
    command_change=np.array([9.0, 5.0]),
    command_speed=np.array([9.0, 5.0]),
    speed=np.array([8.0, 4.0]),
    demanded=np.array([12.0, 9.0]),
    acceleration=np.array([3.0, 4.0]),
)
NOISES = np.full(3, 0.05)


def judged(values=VALUES, half=HALF, seen=LIVELY):
    return judge(np.array(values), np.array(half), seen, NOISES, FitSettings())


def changed(array, **new):
    """Return a copy of an array with some replaced."""
    copy = np.array(array)
    for name, value in new.items():
        copy[NAMES.index(name)] = value
    return copy


def test_what_is_told_has_a_value_within_its_interval():
    found = judged()
    assert list(found) == list(NAMES[: DELAY + 1])
    for name, value in zip(found, VALUES, strict=False):
        one = found[name]
        assert one.known and one.value == pytest.approx(value) and not one.reason
        assert one.low < one.value < one.high
    assert found['tau_xy'].high == pytest.approx(0.8 * np.exp(0.01))


def test_the_delay_is_known_to_an_update():
    delay = judged()['delay']
    assert (delay.low, delay.high) == pytest.approx((0.086, 0.114))


@pytest.mark.parametrize('end', [-0.1, 0.5])
def test_a_delay_at_the_end_of_what_was_looked_for_is_not_known(end):
    found = judged(changed(VALUES, delay=end))['delay']
    assert not found.known and found.reason == 'no delay from -0.1 to 0.5 s fits the data'


def test_a_missing_limit_says_what_was_asked_for():
    found = judged(changed(VALUES, max_acc_xy=np.inf, max_speed_z=np.inf, max_speed_xy=np.inf),
                   seen=LIVELY._replace(command_speed=np.array([20.0, 4.1])))  # fmt: skip
    assert found['max_acc_xy'].reason == 'no command asked for more than 12 m/s^2'
    assert found['max_speed_z'].reason == 'no command asked for more than 4.1 m/s'
    assert found['max_speed_xy'].reason == 'flown 8 of 20 m/s commanded, without reaching a limit'
    assert not any(one.known for name, one in found.items() if one.reason)


def test_a_wide_interval_is_no_value():
    found = judged(half=changed(HALF, tau_xy=1.0, max_acc_z=0.4, delay=0.2))
    assert found['tau_xy'].reason == (
        'any value from 0.29 to 2.2 s fits the data; limits are active most of the time'
    )
    assert found['max_acc_z'].reason == 'any value from 2.7 to 6 m/s^2 fits the data'
    assert found['delay'].reason == 'any value from -0.11 to 0.31 s fits the data'


def test_commands_that_hardly_change_are_the_reason():
    faint = LIVELY._replace(command_change=np.array([0.02, 0.0]))
    found = judged(half=np.full(9, 2.0), seen=faint)
    said = 'commands changed by 0.02 m/s at most, the odometry noise is 0.05 m/s'
    assert found['tau_xy'].reason == found['delay'].reason == said
    assert found['tau_z'].reason == 'the command never changed'
    assert judged(changed(VALUES, max_acc_z=np.inf), seen=faint)['max_acc_z'].reason == (
        'the command never changed'
    )


def test_what_nothing_depends_on():
    assert judged(half=changed(HALF, tau_z=np.nan))['tau_z'].reason == (
        'nothing in the data depends on it'
    )


def test_no_lag_is_known_and_has_no_number():
    one = judged(changed(VALUES, tau_xy=np.nan))['tau_xy']
    assert one.known and one.value is None and one.reason.startswith('no lag')
    faint = LIVELY._replace(command_change=np.array([0.01, 0.01]))
    assert not judged(changed(VALUES, tau_xy=np.nan), seen=faint)['tau_xy'].known


SEEN = Excitation(*(np.array([6.0, 6.0]) for _ in Excitation._fields))
GOOD, BAD = Errors(0.05, 0.05, 0.05, 0.05, 900), Errors(0.9, 0.05, 0.8, 0.05, 900)
NOISE = np.full(3, 0.05)
ESTIMATES = {name: ParameterEstimate(name, 's', True, 0.1, 0.09, 0.11, '') for name in NAMES}


UNKNOWN = ParameterEstimate('max_acc_xy', 'm/s^2', False, None, None, None, 'why')
EARLY = {**ESTIMATES, 'delay': ParameterEstimate('delay', 's', True, -0.05, -0.06, -0.04, '')}
SECOND_ORDER = {name: one for name, one in ESTIMATES.items() if name != 'delay'}
DOUBT = 'xy: prediction error 0.8 m/s, odometry noise 0.05 m/s: the mobility law does not '


@pytest.mark.parametrize(
    ('estimates', 'errors', 'agents', 'line'),
    [
        (ESTIMATES, GOOD, [GOOD], None),
        (ESTIMATES, GOOD._replace(xy=5.0), [GOOD], None),
        (ESTIMATES, BAD, [BAD], f'{DOUBT}describe this vehicle fully, a multirotor perhaps: --t'),
        (SECOND_ORDER, BAD, [BAD], f'{DOUBT}describe this vehicle fully$'),
        (ESTIMATES, GOOD, [GOOD, GOOD, BAD], 'uav_3: prediction error 0.8 m/s, median of all'),
        (EARLY, GOOD, [GOOD], 'delay = -0.050 s: odometry responds before the command'),
        ({**ESTIMATES, 'max_acc_xy': UNKNOWN}, GOOD, [GOOD],
         'max_acc_xy: flown 6 m/s\\^2 is above the default 4: set this limit in'),
        ({**ESTIMATES, 'max_acc_xy': UNKNOWN, 'tau_xy': UNKNOWN}, GOOD, [GOOD], None),
    ],
)  # fmt: skip
def test_what_looks_wrong_is_a_line_and_nothing_where_all_is_well(
    estimates, errors, agents, line
):
    named = {f'uav_{k}': one for k, one in enumerate(agents, 1)}
    found = fit_warnings(estimates, SEEN, errors, NOISE, named)
    assert len(found) == (line is not None)
    assert all(re.match(line, one) for one in found)


def test_names_and_units_are_those_of_the_mobility():
    known = declarations(SecondOrderParameters)
    for name, unit in zip(NAMES, UNITS, strict=True):
        assert name == 'delay' or known[name].unit == unit


def test_a_delay_becomes_lags_of_the_acceleration():
    """Up to a quarter of the whole, which stays as it is."""
    values = np.array([1.1, 3.0, 8.0, 0.04, 4.0, 4.0, 0.28, np.nan, np.nan])
    found = with_acceleration_lags(values, 0.02)
    assert found[DELAY + 1 :].tolist() == [0.28, 0.08]
    assert found[DELAY] == 0.0
    assert (found[0], found[3]) == (1.1, 0.24)
    values[DELAY] = -0.05
    assert with_acceleration_lags(values, 0.02)[DELAY + 1 :].tolist() == [0.02, 0.02]
