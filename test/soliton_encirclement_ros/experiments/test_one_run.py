"""Two runs share a key only if everything about them is the same; what a worker sends of one.

It is exact, plain, and never an exception.
"""

import json

import pytest

from soliton_encirclement_ros.core.run.run_folder import code_version
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS, Scenario
from soliton_encirclement_ros.experiments.run_store import fly_run, pack_curves, unpack_curves
from soliton_encirclement_ros.experiments.sweep_file import parameters_digest, run_key
from soliton_encirclement_ros.sim import simulation
from support.planned import CURVES, a_plan
from velocity_mobility_ros.core.parameter_declaration import declarations


def digest(**changes):
    return parameters_digest(Scenario('x').with_changes(changes, 'test').as_dict())


def test_every_parameter_counts():
    content = Scenario().as_dict()
    digests = {parameters_digest(content)}
    count = 1
    for section, record in SECTIONS.items():
        for name in declarations(record):
            changed = {**content, section: {**content[section], name: 'changed'}}
            digests.add(parameters_digest(changed))
            count += 1
    assert len(digests) == count


def test_the_name_and_the_order_do_not_count():
    content = Scenario('a').as_dict()
    backwards = {key: content[key] for key in reversed(content)}
    assert parameters_digest(content) == parameters_digest({**backwards, 'name': 'b'})


def test_neighbouring_numbers_differ():
    assert digest(control={'k_tau': 0.1}) != digest(control={'k_tau': 0.1 + 1e-17 + 2e-17})
    assert digest(run={'seed': 1}) != digest(run={'seed': 2})


def test_the_code_counts():
    assert run_key('a', 'one') != run_key('a', 'other')
    assert run_key('a', 'one') == run_key('a', 'one')


def test_a_record_holds_what_the_flight_came_to():
    (run,) = a_plan(1)
    scenario = run.scenario.with_changes({'run': {'sim_duration': 3.0}}, 'test')
    record, flown = fly_run(run.key, scenario), simulation.fly(scenario)
    assert (record.key, record.code, record.error) == (run.key, code_version(), '')
    assert json.loads(record.summary) == flown.summary
    assert not {'wall_s', 'real_time_factor'} & set(flown.summary)
    assert json.loads(record.study).keys() == flown.study.keys()
    curves = unpack_curves(record.curves)
    assert list(curves) == ['time', 'E_r', 'E_vr', 'rho', 'G_max', 'E_gap', 'E_wgap', 'alive']
    assert curves['time'] == flown.curves['time'] == pytest.approx([1.0, 2.0, 3.0])
    assert curves['E_gap'] == pytest.approx(flown.curves['E_gap'], rel=1e-6)


def test_an_error_in_a_flight_becomes_one_line(monkeypatch):
    def fly(scenario):
        raise ValueError('no\nway ' + 500 * 'x')

    monkeypatch.setattr(simulation, 'fly', fly)
    (run,) = a_plan(1)
    error = fly_run(run.key, run.scenario).error
    assert error.startswith('ValueError: no way xxx') and len(error) == 300


@pytest.mark.parametrize('curves', [CURVES, {'time': []}, {}])
def test_curves_come_back(curves):
    assert unpack_curves(pack_curves(curves)) == curves
