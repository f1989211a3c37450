"""Which topics are meant."""

import pytest
from soliton_encirclement_ros.core.fleet import ROOT, Fleet
from soliton_encirclement_ros.nodes.topic_choice import TopicChoice, any_of
from velocity_mobility_ros.core.errors import ParameterError


@pytest.mark.parametrize(
    ('include', 'exclude', 'topic', 'expected'),
    [
        ('.*', '', '/uav_1/odom', True),
        ('.*', '/uav_.*', '/uav_1/odom', False),
        ('/uav_1', '', '/uav_1/odom', False),
        ('(?:/uav_1/.*)|(?:/map)', '', '/map', True),
        ('.*', '', '/fly/_action/feedback', False),
        ('/fly/.*', '', '/fly/_action/feedback', True),
    ],
)
def test_whole_names_are_compared_and_everything_means_what_is_not_hidden(
    include, exclude, topic, expected
):
    assert (topic in TopicChoice(include, exclude, ROOT)) is expected


@pytest.mark.parametrize(
    ('topic', 'everything', 'named'),
    [
        ('/fleet/uav_1/odom', True, True),
        ('/fleet/clock', True, True),
        ('/tf', True, True),
        ('/tf_static', True, True),
        ('/diagnostics', True, True),
        ('/fleet_2/uav_1/odom', False, True),
        ('/clock', False, True),
        ('/fleet/fly/_action/feedback', False, True),
    ],
)
def test_a_fleet_records_its_own_and_what_all_share(topic, everything, named):
    fleet = Fleet('/fleet')
    assert (topic in TopicChoice('.*', '', fleet)) is everything
    assert (topic in TopicChoice('/.*', '', fleet)) is named


@pytest.mark.parametrize(('include', 'exclude'), [('(', ''), ('', '(')])
def test_a_bad_pattern_is_named(include, exclude):
    name = 'include' if include else 'exclude'
    with pytest.raises(ParameterError, match=rf"{name} = '\(' is no regular expression"):
        TopicChoice(include, exclude, ROOT)


@pytest.mark.parametrize('text', ['a)|(b', '[', '(?i)/UAV_.*'])
def test_each_of_several_patterns_is_checked_as_it_was_typed(text):
    with pytest.raises(ParameterError) as caught:
        any_of('TOPIC_REGEX', ['/uav_.*', text])
    assert str(caught.value).startswith(f'TOPIC_REGEX = {text!r} ')


def test_any_of_several_patterns_names_a_topic():
    include = any_of('TOPIC_REGEX', ['/a|/b', '(?i:/MAP)'])
    choice = TopicChoice(include, '', ROOT)
    assert [topic in choice for topic in ('/a', '/b', '/map', '/ab')] == [True] * 3 + [False]
