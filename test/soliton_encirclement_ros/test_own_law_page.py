"""docs/own_law.md, word for word: the law on it flies, and nothing else is touched."""

import json
import re
from pathlib import Path

import pytest
from support.cli import REPOSITORY
from support.here import swarm_here
from support.ready import NO_HURRY, laws

__all__ = ['laws', 'swarm_here']

pytestmark = NO_HURRY

PAGE = (REPOSITORY / 'docs' / 'own_law.md').read_text()
LAW, LAYER = re.findall(r'```python\n(.*?)```', PAGE, re.DOTALL)
COMMANDS, LAYER_COMMAND = re.findall(r'```sh\n(.*?)```', PAGE, re.DOTALL)


def test_the_law_is_one_file_of_less_than_forty_lines():
    assert len(LAW.splitlines()) < 40
    assert (REPOSITORY / 'test' / 'support' / 'laws' / 'pursuit.py').read_text() == LAW


@pytest.mark.nightly
def test_it_flies_beside_the_default_law(swarm_here):
    Path('pursuit.py').write_text(LAW)
    simulate = COMMANDS.splitlines()[0].split()[1:]
    done = swarm_here(*simulate, '--duration', '5', '--format', 'none')
    assert 'pursuit' in done.out and '6 of 6 runs complete' in done.out + done.err


def test_its_parameters_are_set_and_listed_by_their_names(swarm_here):
    Path('pursuit.py').write_text(LAW)
    done = swarm_here('scenario', 'parameters', '--controller', 'pursuit.py')
    assert 'control.k_pursuit' in done.out
    done = swarm_here(
        'simulate', 'demo', '--controller', 'pursuit.py', '--controller', 'soliton',
        '--set', 'control.k_pursuit=0.45', '--duration', '2', '--format', 'none',
    )  # fmt: skip
    assert '2 of 2 runs complete' in done.out + done.err
    (flown,) = Path('runs').glob('*-pursuit-s1')
    manifest = json.loads((flown / 'manifest.json').read_text())
    assert manifest['scenario']['control']['k_pursuit'] == 0.45
    assert (flown / 'pursuit.py').read_text() == LAW


def test_a_setting_that_no_law_has_is_refused(swarm_here):
    Path('pursuit.py').write_text(LAW)
    done = swarm_here(
        'simulate', 'demo', '--controller', 'pursuit.py', '--controller', 'soliton',
        '--set', 'control.k_pursuits=0.45',
    )  # fmt: skip
    assert done.code == 2 and 'k_pursuits' in done.err


def test_a_scenario_finds_the_law_beside_it(swarm_here):
    folder = Path('there')
    folder.mkdir()
    (folder / 'pursuit.py').write_text(LAW)
    (folder / 'mine.yaml').write_text('control: {controller: pursuit.py}\n')
    done = swarm_here('simulate', 'there/mine.yaml', '--duration', '2', '--format', 'none')
    assert (next(Path('runs').glob('2*-mine*')) / 'pursuit.py').read_text() == LAW
    assert 'Traceback' not in done.err


@pytest.mark.nightly
def test_the_layer_flies_with_its_parameters(swarm_here):
    assert (REPOSITORY / 'test' / 'support' / 'laws' / 'diffusion.py').read_text() == LAYER
    Path('diffusion.py').write_text(LAYER)
    words = LAYER_COMMAND.split()[1:]
    done = swarm_here(*words, '--duration', '2', '--format', 'none')
    assert 'Traceback' not in done.err and done.code in (0, 1)
    (flown,) = Path('runs').glob('2*')
    assert (flown / 'diffusion.py').read_text() == LAYER
    manifest = json.loads((flown / 'manifest.json').read_text())
    assert manifest['scenario']['propagation']['k_diffusion'] == 4
