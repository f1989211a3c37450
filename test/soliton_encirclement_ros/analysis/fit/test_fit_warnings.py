"""What looks wrong, in one line each, and nothing where all is well."""

import numpy as np
from soliton_encirclement_ros.analysis.fit.excitation import Excitation
from soliton_encirclement_ros.analysis.fit.fit_records import Errors, Estimate
from soliton_encirclement_ros.analysis.fit.fit_warnings import fit_warnings
from soliton_encirclement_ros.analysis.fit.parameter_vector import NAMES

SEEN = Excitation(*(np.array([6.0, 6.0]) for _ in Excitation._fields))
GOOD, BAD = Errors(0.05, 0.05, 0.05, 0.05, 900), Errors(0.9, 0.05, 0.8, 0.05, 900)
NOISE = np.full(3, 0.05)
ESTIMATES = {name: Estimate(name, 's', True, 0.1, 0.09, 0.11, '') for name in NAMES}


def test_a_good_fit_has_none():
    assert fit_warnings(ESTIMATES, SEEN, GOOD, NOISE, {'uav_1': GOOD}) == []


def test_a_vehicle_that_does_more_than_the_law():
    (line,) = fit_warnings(ESTIMATES, SEEN, BAD, NOISE, {'uav_1': BAD})
    assert line == (
        'xy: prediction error 0.8 m/s, odometry noise 0.05 m/s: the mobility law does not '
        'describe this vehicle fully, a multirotor perhaps: --type second_order'
    )


def test_of_second_order_nothing_else_is_recommended():
    names = {name: one for name, one in ESTIMATES.items() if name != 'delay'}
    (line,) = fit_warnings(names, SEEN, BAD, NOISE, {'uav_1': BAD})
    assert line.endswith('does not describe this vehicle fully')


def test_wild_samples_alone_are_no_doubt():
    assert fit_warnings(ESTIMATES, SEEN, GOOD._replace(xy=5.0), NOISE, {'uav_1': GOOD}) == []


def test_an_agent_unlike_the_others_is_named():
    agents = {'uav_1': GOOD, 'uav_2': GOOD, 'uav_3': BAD}
    (line,) = fit_warnings(ESTIMATES, SEEN, GOOD, NOISE, agents)
    assert line == (
        'uav_3: prediction error 0.8 m/s, median of all 0.05: fit it alone (--agent uav_3)'
    )


def test_odometry_ahead_of_its_command():
    early = {**ESTIMATES, 'delay': Estimate('delay', 's', True, -0.05, -0.06, -0.04, '')}
    (line,) = fit_warnings(early, SEEN, GOOD, NOISE, {'uav_1': GOOD})
    assert line.startswith('delay = -0.050 s: odometry responds before the command')


def test_more_was_flown_than_the_default_allows():
    unknown = Estimate('max_acc_xy', 'm/s^2', False, None, None, None, 'why')
    (line,) = fit_warnings(
        {**ESTIMATES, 'max_acc_xy': unknown}, SEEN, GOOD, NOISE, {'uav_1': GOOD}
    )
    assert line.startswith('max_acc_xy: flown 6 m/s^2 is above the default 4: set this limit in')
    blind = {**ESTIMATES, 'max_acc_xy': unknown, 'tau_xy': unknown}
    assert fit_warnings(blind, SEEN, GOOD, NOISE, {'uav_1': GOOD}) == []
