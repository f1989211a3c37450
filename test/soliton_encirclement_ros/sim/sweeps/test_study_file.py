"""Study files: what they plan, and how they are refused."""

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.experiment_records import Condition
from soliton_encirclement_ros.sim.sweeps.study import load_study, runs_of_test
from support.sweeping.studies import SMALL_STUDY, write_study

TUNING = SMALL_STUDY['tuning']
LAWS = SMALL_STUDY['laws']

OWN_LAW = """
from soliton_encirclement_ros.controllers import soliton
LAW = soliton.SOLITON._replace(dead_reckoning=False)
"""


def test_every_law_flies_under_every_condition_with_every_seed(tmp_path):
    study = load_study(write_study(tmp_path), 'code')
    runs = runs_of_test(study, {'wide': {'control.k_r': 0.75}})
    assert [(one.law, one.condition.label, one.run.scenario.run.seed) for one in runs] == [
        (law, condition, seed)
        for condition in ('calm, lag 1 s', 'loss 50 %, lag 1 s')
        for law in ('soliton', 'wide')
        for seed in (1, 2, 3)
    ]
    assert len({one.run.key for one in runs}) == 12
    gains = {one.law: one.run.scenario.control.k_r for one in runs}
    assert gains == {'soliton': 1.0, 'wide': 0.75}
    lossy = runs[-1].run.scenario
    assert (lossy.radio.communication_failure_rate, lossy.run.num_agents) == (0.5, 3)
    assert runs[-1].run.label == 'law wide, condition loss 50 %, lag 1 s, k_r 0.75, seed 3'


def test_the_outline_says_what_is_compared(tmp_path):
    ablations = {'one hop': {'controller': 'soliton', 'changes': {'control.ring_hops': 1}}}
    study = load_study(write_study(tmp_path, ablations=ablations, chosen='wide'), 'code')
    outline = study.outline
    assert (outline.name, outline.chosen, outline.others) == ('small', 'wide', ['soliton'])
    assert outline.conditions == (Condition('calm', 'lag 1 s'), Condition('loss 50 %', 'lag 1 s'))
    assert (outline.ablations, outline.seeds) == (('one hop',), 3)
    assert outline.rivals('soliton') == []
    assert study.budget == 8


def test_blocks_of_conditions_are_joined(tmp_path):
    still = {'target.target_motion_speed_xy': 0}
    blocks = [SMALL_STUDY['conditions'], {'cases': {'still': still}}]
    conditions = load_study(write_study(tmp_path, conditions=blocks), 'code').conditions
    assert [one.label for one in conditions] == [
        'calm, lag 1 s', 'loss 50 %, lag 1 s', 'still'
    ]  # fmt: skip


def test_a_law_beside_the_study_is_found_and_counts_with_its_content(tmp_path, monkeypatch):
    (tmp_path / 'own.py').write_text(OWN_LAW)
    path = write_study(tmp_path, laws={**LAWS, 'own': {'controller': 'own.py'}})
    monkeypatch.chdir('/')
    first = load_study(path, 'code')
    assert first.outline.controllers['own'] == 'own'
    (tmp_path / 'own.py').write_text(f'{OWN_LAW}# edited\n')
    assert load_study(path, 'code').code != first.code


def test_a_vehicle_beside_the_study_is_found(tmp_path, monkeypatch):
    (tmp_path / 'blurred.yaml').write_text('mobility: {position_noise_xy: 2.0}')
    cases = {'blurred': {'vehicles.target_vehicle': 'blurred.yaml'}}
    path = write_study(
        tmp_path, conditions={'cases': cases}, tuning={**TUNING, 'conditions': ['blurred']}
    )
    monkeypatch.chdir('/')
    scenario = runs_of_test(load_study(path, 'code'), {})[0].run.scenario
    assert scenario.vehicle_of('target').position_noise_xy == 2.0


BAD = {
    'bad weight': ({'resolution': {'E_r': 0}}, 'resolution: E_r = 0 must be a number above 0'),
    'no laws': ({'laws': None}, 'laws: is empty: give at least one'),
    'one law': ({'laws': {'soliton': {}}, 'tuning': None}, 'laws: soliton is alone'),
    'unknown law': (
        {'laws': {**LAWS, 'solitone': {}}}, "controller = 'solitone' must be one of predictive"),
    'no such file': (
        {'laws': {**LAWS, 'own': {'controller': 'own.py'}}}, 'there is no such file'),
    'range out of bounds': (
        {'laws': {**LAWS, 'x': {'controller': 'franchi',
                                'search': {'control.k_turn': {'low': -1, 'high': 1}}}}},
        'k_turn = -1.0 must be above 0'),
    'gain set and tuned': (
        {'laws': {**LAWS, 'x': {'controller': 'franchi', 'changes': {'control.k_turn': 1},
                                'search': {'control.k_turn': {'low': 1, 'high': 2}}}}},
        'laws: x: control.k_turn is given twice'),
    'chosen nobody': ({'chosen': 'x'}, "chosen = 'x' must be one of the laws soliton, wide"),
    'ablation of the same name': (
        {'ablations': {'wide': {'controller': 'soliton'}}}, 'ablations: wide is also among'),
    'ablation that is tuned': (
        {'ablations': {'x': LAWS['wide']}}, 'ablations: x: search: an ablation is not tuned'),
    'no conditions': ({'conditions': None}, 'conditions: cases: is empty'),
    'condition with an unknown key': (
        {'conditions': {'cases': {'calm': {'radio.loss': 1}}},
         'tuning': {**TUNING, 'conditions': ['calm']}},
        "calm: radio: unknown key 'loss'"),
    'condition that sets the law': (
        {'conditions': {'cases': {'calm': {'control.controller': 'splay'}}},
         'tuning': {**TUNING, 'conditions': ['calm']}},
        'control.controller is given by law wide and by condition calm'),
    'condition twice': (
        {'conditions': [{'cases': {'calm': {}}}, {'cases': {'calm': {}}}]}, 'is there twice'),
    'setting and case of one parameter': (
        {'conditions': {'settings': {'a': {'mobility.tau_xy': 1}},
                        'cases': {'b': {'mobility.tau_xy': 2}}}},
        'mobility.tau_xy is given by setting a and by case b'),
    'seeds that overlap': (
        {'tuning': {**TUNING, 'seeds': [60, 2]}}, 'tuning: seeds: 2 is also a seed of the test'),
    'no seeds for tuning': ({'tuning': {**TUNING, 'seeds': None}}, 'tuning: seeds is missing'),
    'budget too small': (
        {'tuning': {**TUNING, 'flights': 3}}, 'tuning: flights = 3 must be at least 4'),
    'tuned under an unknown condition': (
        {'tuning': {**TUNING, 'conditions': ['calm']}},
        "unknown condition 'calm'; there are calm, lag 1 s; loss 50 %, lag 1 s"),
    'no tuning': ({'tuning': None}, 'tuning is missing: wide has a search space'),
    'unknown metric': ({'metrics': ['E_gop']}, "metrics: unknown metric 'E_gop'; there are E_gap"),
    'no metric': ({'metrics': []}, 'metrics = [] must be a list of names'),
}  # fmt: skip


@pytest.mark.parametrize('case', BAD)
def test_a_bad_study_is_refused_in_one_line_that_names_the_file(tmp_path, case):
    content, line = BAD[case]
    path = write_study(tmp_path, **content)
    with pytest.raises(ScenarioError) as error:
        load_study(path, 'code')
    text = str(error.value)
    assert line in text and text.startswith(str(path)) and '\n' not in text
