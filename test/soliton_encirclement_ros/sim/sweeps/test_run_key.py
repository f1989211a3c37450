"""Two runs share a key only if everything about them is the same."""

from soliton_encirclement_ros.core.scenario.scenario import SECTIONS, Scenario
from soliton_encirclement_ros.sim.sweeps.run_key import parameters_digest, run_key
from velocity_mobility_ros.core.parameters import declarations


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
