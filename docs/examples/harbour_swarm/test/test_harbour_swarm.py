"""Run it with pytest where the package is installed."""

import pytest
from harbour_swarm.boat import BOAT, BoatParameters

from soliton_encirclement_ros.core.laws.law_registry import LAWS
from velocity_mobility_ros.vehicles import VEHICLES, Command


def test_the_law_is_found_by_its_name():
    assert LAWS.is_foreign('repulsion')
    assert LAWS.load('repulsion').parameters().k_turn == 0.5


@pytest.mark.parametrize(('current', 'drift'), [(1.0, 0.0), (4.0, 1.0)])
def test_a_boat_holds_its_place_in_a_current_that_it_can_outrun(current, drift):
    boat = VEHICLES.load('boat')
    assert boat is BOAT
    model = boat.coefficients(BoatParameters(max_speed_xy=3.0, current_north=current))
    state = boat.at_rest((0.0, 0.0, 0.0), 0.0, 0)
    for _ in range(3000):
        state = boat.step(model, state, Command((0.0, 0.0, 0.0), 0.0, False), 0.01)
    assert boat.motion(state).velocity == pytest.approx((0.0, drift, 0.0), abs=1e-6)
