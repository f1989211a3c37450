"""What a sweep consists of, in words."""

from soliton_encirclement_ros.core.run.sweep_runs import Point, shown


def test_a_point_is_named_by_what_varies():
    values = {'control.controller': 'soliton', 'control.k_tau': 0.123456, 'run.num_agents': 3}
    assert Point(1, values, 'soliton').label == 'controller soliton, k_tau 0.1235, num_agents 3'


def test_a_point_where_nothing_varies_is_named_by_its_law():
    assert Point(1, {}, 'soliton').label == 'soliton'


def test_values_are_short():
    assert [shown(value) for value in (1.0, 1e-9, True, None, 'x')] == [
        '1', '1e-09', 'True', 'None', 'x',
    ]  # fmt: skip
