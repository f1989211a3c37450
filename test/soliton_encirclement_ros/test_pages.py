"""Pages of docs that are run or compared: own_law.md, tuning.md, batched.md."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from soliton_encirclement_ros.core.parameters.control_parameters import (
    ControlParameters as Control, PropagationParameters
)
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, SwarmParameters
)
from soliton_encirclement_ros.core.parameters.target_parameters import (
    AdversaryParameters, TargetParameters
)
from support.cli import REPOSITORY
from support.here import swarm_here
from support.ready import NO_HURRY, laws
from velocity_mobility_ros.core.parameter_declaration import declarations

__all__ = ['laws', 'swarm_here']

pytestmark = NO_HURRY

PAGE = (REPOSITORY / 'docs' / 'how_to' / 'own_law.md').read_text()
LAW, FAIR_LAW, LAYER = re.findall(r'```python\n(.*?)```', PAGE, re.DOTALL)
(LAYER_COMMAND,) = re.findall(r'```sh\n(.*?)```', PAGE, re.DOTALL)


def test_the_law_is_one_file_of_less_than_forty_lines():
    assert len(LAW.splitlines()) < 40
    assert (REPOSITORY / 'docs' / 'pursuit.py').read_text() == LAW


def test_a_law_that_shares_the_rest_with_ours_compiles_and_closes_the_ring(swarm_here):
    Path('middle.py').write_text(FAIR_LAW)
    done = swarm_here(
        'simulate', 'still', '--controller', 'middle.py', '--format', 'none', '--json',
    )  # fmt: skip
    assert 'does not compile' not in done.err
    assert json.loads(done.out)['verdict']['encircled']


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


RECORDS = (
    Control, PropagationParameters, CommandLimits, SwarmParameters, TargetParameters,
    AdversaryParameters, SafetyParameters,
)  # fmt: skip


def test_every_parameter_with_a_reason_is_on_the_page_and_no_other() -> None:
    page = (REPOSITORY / 'docs' / 'how_to' / 'tuning.md').read_text(encoding='utf-8')
    listed = dict(re.findall(r'^\| `(\w+)` \| (.*) \|$', page, re.MULTILINE))
    found = {
        name: one.fixed for record in RECORDS for name, one in declarations(record).items()
        if one.fixed
    }  # fmt: skip
    assert listed == found


def test_what_an_agent_flies_by_may_change() -> None:
    """All gains and limits but those of the table."""
    for record in (Control, PropagationParameters, CommandLimits):
        assert all(one.runtime or one.fixed for one in declarations(record).values())


BATCHED = (REPOSITORY / 'docs' / 'research' / 'batched.md').read_text()
(EXAMPLE,) = re.findall(r'```python\n(.*?)```', BATCHED, re.DOTALL)


def test_the_example_flies() -> None:
    """Fewer bodies and updates, otherwise as it stands."""
    assert len(EXAMPLE.splitlines()) <= 15
    short = EXAMPLE.replace('1000', '10').replace('range(500)', 'range(120)')
    assert (EXAMPLE.count('1000'), EXAMPLE.count('range(500)')) == (2, 1)
    names: dict[str, Any] = {}
    exec(short, names)
    position = names['bodies'].motion().position
    assert position.shape == (10, 3) and np.isfinite(position).all()
    assert 0.5 < position[:, 0].mean() < 3.5
    assert len({one.mass for one in names['bodies'].parameters}) == 10
