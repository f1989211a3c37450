"""A fit in words."""

from soliton_encirclement_ros.analysis.fit import Estimate
from soliton_encirclement_ros.cli.views.fit_tables import cells


def test_a_value_has_its_unit_and_interval():
    one = Estimate('tau_xy', 's', True, 0.81234567, 0.8, 0.82, '')
    assert cells(one) == ('0.81235 s', '0.8 .. 0.82')


def test_a_vanishing_delay_is_zero():
    assert cells(Estimate('delay', 's', True, -1e-8, -0.01, 0.01, '')) == ('0 s', '-0.01 .. 0.01')


def test_what_is_not_known_or_none_has_no_number():
    for known, said in ((False, 'not identifiable'), (True, 'none')):
        assert cells(Estimate('tau_xy', 's', known, None, None, None, 'why')) == (said, '')
