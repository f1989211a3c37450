"""Names of frames: what nobody would find, and what would be moved against itself."""

import pytest
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.frame_names import check_distinct, check_frame_name


@pytest.mark.parametrize('frame', [' ', 'a b', 'a\n', '\t', 'a\u200bb', '\x00'])
def test_a_name_with_what_is_not_seen_is_refused(frame):
    with pytest.raises(ParameterError) as caught:
        check_frame_name('odom_frame', frame)
    assert str(caught.value) == (
        f'odom_frame = {frame!r} must not contain blanks or control characters; use a '
        'name such as uav_1/odom'
    )


@pytest.mark.parametrize('frame', ['', 'map', 'uav_1/odom', '/x', 'Bücher'])
def test_any_other_name_is_taken(frame):
    check_frame_name('odom_frame', frame)


def test_frames_that_differ_or_are_not_there_are_taken():
    check_distinct({'a': 'map', 'b': '', 'c': '', 'd': 'uav_1/base_link'})


def test_two_frames_of_one_name_are_refused():
    words = "^a and c both name the frame 'map'; use two different names$"
    with pytest.raises(ParameterError, match=words):
        check_distinct({'a': 'map', 'b': 'odom', 'c': 'map'})
