"""What an agent publishes about itself."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.core import Pose
from soliton_encirclement_ros.core.laws.telemetry import (
    FILTER_NAMES, UNCHANGED, TelemetryRow, filtered_as, is_filter_result, lawless_values,
    speed_squared, telemetry_row, telemetry_values
)

POSE = Pose((1.0, 2.0, 3.0), (2.0, 3.0, 6.0))


class Law:
    """A source with two values."""

    telemetry_names = ('u', 'delta_u')
    pair = (7, 2)

    def telemetry(self) -> tuple[float, ...]:
        """Return the values."""
        return 0.5, -0.25


def test_names_and_numbers_have_one_length() -> None:
    """Body first, then the controller's own columns."""
    names, positions, velocities = telemetry_values(POSE, True, Law())
    assert names == ['x', 'y', 'z', 'failed', 'pred', 'succ', 'u', 'delta_u']
    assert positions == [1.0, 2.0, 3.0, 1.0, 7.0, 2.0, 0.5, -0.25]
    assert velocities == [2.0, 3.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize('failed', [True, False])
def test_there_and_back(failed: bool) -> None:
    """The row holds what was measured; its speed is the norm in all three axes."""
    _, positions, velocities = telemetry_values(POSE, failed, Law())
    row = telemetry_row(4, 0.25, positions, velocities)
    assert row == (4, 0.25, *POSE, failed, (0.5, -0.25), 7.0, 2.0)
    assert row.speed == 7.0


def test_the_speed_of_a_row_is_that_of_an_array_to_the_last_bit() -> None:
    """Every axis counts, and numbers and arrays go the same way."""
    velocities = np.random.default_rng(7).normal(size=(200, 3))
    many = np.sqrt(speed_squared(*velocities.T)).tolist()
    for (vx, vy, vz), speed in zip(velocities.tolist(), many, strict=True):
        row = TelemetryRow(1, 0.0, (0.0, 0.0, 0.0), (vx, vy, vz), False, ())
        assert row.speed == speed == math.sqrt(vx * vx + vy * vy + vz * vz)


def test_a_table_has_one_form_whether_an_agent_filters_or_not() -> None:
    both = ('u', *FILTER_NAMES)
    assert filtered_as([0.5, 1.0, 4.0, 0.3], both, both) == [0.5, 1.0, 4.0, 0.3]
    assert filtered_as([0.5], ('u',), both) == [0.5, *UNCHANGED]
    assert filtered_as([0.5, 1.0, 4.0, 0.3], both, ('u',)) == [0.5]
    assert filtered_as([0.5], ('v',), both) is None
    assert filtered_as([0.5, 1.0], ('u', FILTER_NAMES[0]), both) is None


@pytest.mark.parametrize(
    ('reason', 'pusher', 'known'),
    [(0.0, -1.0, True), (7.0, 3.0, True), (1.0, -2.0, True), (8.0, 3.0, False),
     (math.nan, 3.0, False), (1.0, -3.0, True), (1.0, 2.5, False), (1.0, 1e300, False)],
)  # fmt: skip
def test_only_codes_and_ids_are_results_of_the_filter(reason, pusher, known) -> None:
    assert is_filter_result(reason, pusher) is known


@pytest.mark.parametrize('result', [(), (1.0, 4.0, 0.3)])
def test_a_vehicle_without_a_law_has_0_for_its_values(result: tuple[float, ...]) -> None:
    names, positions, velocities = lawless_values(POSE, result)
    assert positions == [1.0, 2.0, 3.0, 0.0, -1.0, -1.0, *result]
    assert velocities[:3] == [2.0, 3.0, 6.0] and not any(velocities[3:])
    of_a_law = telemetry_values(POSE, False, Law(), UNCHANGED)[0]
    told = filtered_as(positions, names, of_a_law)
    assert told == [*positions[:6], 0.0, 0.0, *(result or UNCHANGED)]
    assert filtered_as(positions, names, of_a_law[:-3]) == told[:-3]
