"""Where the solver starts: near the truth, also among wild samples."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.fit.fit_records import FitSettings
from soliton_encirclement_ros.analysis.fit.joined_stretches import JoinedStretches
from soliton_encirclement_ros.analysis.fit.rollout import roll_out
from soliton_encirclement_ros.analysis.fit.scan import STARTS, scan
from soliton_encirclement_ros.analysis.fit.stretches import stretches
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from support.recorded.planted import QUAD, flight, noisy, steps

SETTINGS = FitSettings()


@pytest.mark.parametrize('wild', [0.0, 0.02])
def test_the_best_start_is_near_what_was_planted(wild):
    chance = np.random.default_rng(7)
    member = noisy(flight(steps(chance, duration=30.0), delay=0.2), chance)
    velocity = member.track.velocity.copy()
    velocity[chance.random(len(velocity)) < wild] += 40.0
    member = member._replace(track=member.track._replace(velocity=velocity))
    parts = stretches(member, SETTINGS)
    starts = scan(JoinedStretches(parts, QUAD.update_rate, compiled(roll_out)), SETTINGS)
    assert len(starts) == STARTS
    assert len({start[6] for start in starts}) == STARTS
    tau, acceleration, speed, *_, delay = starts[0]
    assert tau == pytest.approx(QUAD.tau_xy, rel=0.6)
    assert acceleration == pytest.approx(QUAD.max_acc_xy, rel=0.5)
    assert speed == pytest.approx(QUAD.max_speed_xy, rel=0.6)
    assert delay == pytest.approx(0.2, abs=0.15)
