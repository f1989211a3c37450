"""What travels from a worker: exact, plain, and never an exception."""

import json

import pytest
from soliton_encirclement_ros.core.run.code_version import code_version
from soliton_encirclement_ros.sim import flight
from soliton_encirclement_ros.sim.sweeps.run_result import fly_run, pack_curves, unpack_curves
from support.planned import CURVES, a_plan


def test_a_record_holds_what_the_flight_came_to():
    (run,) = a_plan(1)
    record, flown = fly_run(run.key, run.scenario), flight.fly(run.scenario)
    assert (record.key, record.code, record.error) == (run.key, code_version(), '')
    assert json.loads(record.summary) == flown.summary
    assert json.loads(record.study).keys() == flown.study.keys()
    curves = unpack_curves(record.curves)
    assert curves['time'] == flown.curves['time']
    assert curves['E_gap'] == pytest.approx(flown.curves['E_gap'], rel=1e-6)


def test_an_error_in_a_flight_becomes_one_line(monkeypatch):
    def fly(scenario):
        raise ValueError('no\nway ' + 500 * 'x')

    monkeypatch.setattr(flight, 'fly', fly)
    (run,) = a_plan(1)
    error = fly_run(run.key, run.scenario).error
    assert error.startswith('ValueError: no way xxx') and len(error) == 300


@pytest.mark.parametrize('curves', [CURVES, {'time': []}, {}])
def test_curves_come_back(curves):
    assert unpack_curves(pack_curves(curves)) == curves
