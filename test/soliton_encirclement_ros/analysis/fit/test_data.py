"""Which data are fitted and which held out, and what is too little."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.fit.data import gather, most_excited
from soliton_encirclement_ros.analysis.fit.fit_records import FitSettings
from soliton_encirclement_ros.core.errors import RunError
from support.recorded.planted import constant, flight, steps

SETTINGS = FitSettings()


def test_the_last_samples_of_all_are_held_out():
    members = [flight(steps(np.random.default_rng(k)), name=f'uav_{k}') for k in (1, 2)]
    data = gather(members, SETTINGS)
    fitted, held = (sum(len(one.time) for one in part) for part in (data.fitted, data.held))
    assert held / (fitted + held) == pytest.approx(SETTINGS.hold_out, abs=0.01)
    assert max(one.time[-1] for one in data.fitted) <= data.until
    assert min(one.time[0] for one in data.held) > data.until
    assert {one.agent for one in data.fitted} == {one.agent for one in data.held}


def test_of_too_much_the_liveliest_is_taken_in_order():
    told = np.concatenate([constant(1.0, 0.0, 0.0), steps(np.random.default_rng(1))] * 2)
    data = gather([flight(told)], FitSettings(most_updates=3000, hold_out=0.05))
    spans = [(one.time[0], one.time[-1]) for one in data.fitted]
    assert spans == sorted(spans)
    assert sum(one.length for one in data.fitted) <= 30.0
    assert all(60.0 < end < 121.0 or begin > 179.0 for begin, end in spans)


def test_one_stretch_is_always_taken():
    data = gather([flight(steps(np.random.default_rng(1)))], SETTINGS)
    assert len(most_excited(data.fitted, SETTINGS, 1)) == 1


def test_too_little_is_refused_with_what_to_do():
    with pytest.raises(RunError, match='uav_1: cmd_vel and odom were never both recorded'):
        gather([flight(constant(0.0, 0.0, 0.0, duration=1.0))], SETTINGS)
    with pytest.raises(RunError, match=r'the usable flight is 1\.\d s long: too short .* 20 s or'):
        gather([flight(constant(0.0, 0.0, 0.0, duration=2.1))], SETTINGS)
