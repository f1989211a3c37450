"""Which topics are meant."""

import pytest

from soliton_encirclement_ros.core.states.swarm_topics import ROOT, Fleet
from soliton_encirclement_ros.nodes.observers.recorder_parameters import (
    TopicSelection, exclusion, inclusion
)
from velocity_mobility_ros.core.user_errors import ParameterError, shown


@pytest.mark.parametrize(
    ('include', 'exclude', 'topic', 'expected'),
    [
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
    assert (topic in TopicSelection([include], exclude, ROOT)) is expected


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
    assert (topic in TopicSelection(['.*'], '', fleet)) is everything
    assert (topic in TopicSelection(['/.*'], '', fleet)) is named


@pytest.mark.parametrize('check', [inclusion, exclusion])
@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        ('a)|(b', 'unbalanced parenthesis at position 1'),
        ('a{99999999999}', 'the repetition number is too large'),
        ('(' * 2000 + ')' * 2000, 'nested too deeply'),
        ('/a\udcff', 'not UTF-8 text'),
    ],
    ids=['a)|(b', 'huge', 'nested', 'no text'],
)
def test_whatever_is_no_pattern_is_refused_as_it_was_typed(check, text, reason):
    with pytest.raises(ParameterError) as caught:
        check('NAME', text)
    line = str(caught.value)
    assert line.startswith(f'NAME = {shown(text)} is no regular expression: {reason}')
    assert len(line) < 250 and line.isprintable()


def test_an_empty_pattern_names_nothing_and_is_refused():
    with pytest.raises(ParameterError, match=r"^include = '' names no topic: write \.\* for all"):
        TopicSelection([''], '', ROOT)


@pytest.mark.parametrize('text', ['.*', '/.+'])
def test_what_would_leave_out_every_topic_is_refused(text):
    with pytest.raises(ParameterError) as caught:
        TopicSelection(['.*'], text, ROOT)
    assert str(caught.value).startswith(f'exclude = {text!r} excludes every topic, so that ')


@pytest.mark.parametrize(
    ('include', 'named', 'others'),
    [
        (['/a|/b', '(?i:/MAP)'], ['/a', '/b', '/map'], ['/ab', '/c']),
        ([r'/(a)_\1', r'/(b)_\1'], ['/a_a', '/b_b'], ['/a_b', '/b_a', '/b_']),
        (['(?P<n>/x)', '(?P<n>/y)'], ['/x', '/y'], ['/xy']),
        (['(?i)/UAV_.*', '/map'], ['/uav_1', '/map'], ['/MAP']),
        (['.*', '/fly/_action/.*'], ['/a', '/fly/_action/status'], ['/go/_action/status']),
    ],
    ids=['alternatives', 'backreferences', 'group names', 'flags', 'everything and hidden'],
)
def test_any_of_several_patterns_names_a_topic_each_by_itself(include, named, others):
    choice = TopicSelection(include, '', ROOT)
    assert [topic for topic in (*named, *others) if topic in choice] == named


@pytest.mark.parametrize('text', ['chat', 'uav_.*/odom'])
def test_a_pattern_without_the_slash_names_no_topic(text):
    with pytest.raises(ParameterError) as caught:
        TopicSelection([text], '', ROOT)
    assert str(caught.value) == (
        f"include = {text!r} names no topic, whose names begin with a slash: write '/{text}'"
    )


@pytest.mark.parametrize('text', ['x*/odom', 'x?/odom', 'x|/odom', '.*odom', '(/a|b)', r'\\W?a'])
def test_a_pattern_that_may_name_one_does(text):
    TopicSelection([text], '', ROOT)


def test_what_is_to_be_recorded_and_left_out_is_refused():
    with pytest.raises(ParameterError, match="'/a' is both included and excluded: it would"):
        TopicSelection(['/b', '/a'], '/a', ROOT)
