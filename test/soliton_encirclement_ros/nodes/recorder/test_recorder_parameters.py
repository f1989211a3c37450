"""What a recorder can be told: bounds that the bag's writer could not keep."""

import pytest
from soliton_encirclement_ros.nodes.recorder.recorder_parameters import RecorderParameters
from velocity_mobility_ros.core.errors import ParameterError


@pytest.mark.parametrize('size', [0.0, 0.001, 0.2, 1e6])
def test_a_file_has_a_size_or_there_is_only_one(size):
    assert RecorderParameters(max_file_size=size).max_file_size == size


@pytest.mark.parametrize('size', [1e-9, 0.000999, 5e-324])
def test_a_size_that_no_file_has_is_not_one_file(size):
    with pytest.raises(ParameterError) as caught:
        RecorderParameters(max_file_size=size)
    assert str(caught.value) == (
        f'max_file_size = {size} must be 0 (one file) or at least 0.001 MB'
    )


@pytest.mark.parametrize('size', [1e308, 1.1e6, -1.0])
def test_a_size_out_of_its_range_is_refused(size):
    with pytest.raises(ParameterError, match=r'must be at least 0 and at most 1e\+06 MB'):
        RecorderParameters(max_file_size=size)
