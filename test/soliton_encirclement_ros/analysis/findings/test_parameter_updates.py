"""Changes of parameters in words."""

from soliton_encirclement_ros.analysis.findings.parameter_updates import (
    grouped_updates,
    value_text,
)
from soliton_encirclement_ros.analysis.recording import ParameterChange

AGENTS = [f'/uav_{k}/agent' for k in range(1, 6)]


def test_one_value_for_many_nodes_at_once_is_one_change():
    given = [ParameterChange(3.0 + 0.1 * i, node, 'k_s', 1.5, 4.0)
             for i, node in enumerate(AGENTS)]  # fmt: skip
    (found,) = grouped_updates(given)
    assert (found.time, found.text) == (3.0, 'k_s 1.5 -> 4.0')
    assert found.nodes == tuple(AGENTS)
    assert found.where == 'uav_1/agent, uav_2/agent, uav_3/agent and 2 more'


def test_other_values_other_times_and_the_same_node_again_are_others():
    first = ParameterChange(3.0, AGENTS[0], 'k_s', 1.5, 4.0)
    others = [
        first._replace(node=AGENTS[1], new=5.0),
        first._replace(node=AGENTS[1], name='k_r'),
        first._replace(time=3.5),
        first._replace(node=AGENTS[1], time=9.0),
    ]
    assert [one.nodes for one in grouped_updates([first, *others])] == [
        (AGENTS[0],), (AGENTS[1],), (AGENTS[1],), (AGENTS[0],), (AGENTS[1],),
    ]  # fmt: skip


def test_values_are_written_as_in_a_parameter_file():
    assert [*map(value_text, (None, True, 'sum', 2.5, 3))] == ['?', 'true', "'sum'", '2.5', '3']
