"""A recording starts no code: what it names runs only if the user has named it, too."""

from pathlib import Path

import pytest

from soliton_encirclement_ros.cli.recordings.recording_input import trusted_code
from soliton_encirclement_ros.core.errors import RunError, ScenarioError
from soliton_encirclement_ros.core.scenario.scenario import Scenario, scenario_of_run
from velocity_mobility_ros.core.plugins import trust

CODE = """
from pathlib import Path
Path(__file__).with_name('ran').touch()
from soliton_encirclement_ros.controllers.splay import SPLAY
"""


@pytest.fixture
def law(tmp_path: Path) -> Path:
    """Return the file of a law that tells when it is run."""
    file = tmp_path / 'mine.py'
    file.write_text(CODE, encoding='utf-8')
    return file


def recorded(**sections: dict) -> dict:
    """Return a manifest's scenario with some changes."""
    return {**Scenario().as_dict(), **sections}


@pytest.mark.parametrize(
    ('section', 'key'),
    [('control', 'controller'), ('propagation', 'propagation_method'), ('mobility', 'vehicle'),
     ('target_sensing', 'estimator')],
)  # fmt: skip
@pytest.mark.parametrize('name', ['{}', '{}:SPLAY'])
def test_code_that_a_recording_names_is_not_run(
    law: Path, section: str, key: str, name: str
) -> None:
    content = recorded(**{section: {key: name.format(law)}})
    with pytest.raises(ScenarioError) as caught:
        scenario_of_run(content, 'manifest.json')
    assert not law.with_name('ran').exists()
    assert str(caught.value).startswith(f'manifest.json: {key} = ')
    assert 'name its file too, with --code' in str(caught.value)


def test_code_of_a_single_vehicle_is_not_run(law: Path) -> None:
    with pytest.raises(ScenarioError, match=r'vehicle = .* is code'):
        scenario_of_run(recorded(vehicles={'uav_1': {'vehicle': str(law)}}), 'manifest.json')
    assert not law.with_name('ran').exists()


def test_a_module_that_a_recording_names_is_not_imported() -> None:
    with pytest.raises(ScenarioError, match='is code that this recording names'):
        scenario_of_run(recorded(control={'controller': 'antigravity:fly'}), 'manifest.json')


def test_a_law_that_the_user_names_is_run(law: Path) -> None:
    trust(str(law))
    content = recorded(control={'controller': f'{law}:SPLAY'})
    assert scenario_of_run(content, 'manifest.json').control.controller == f'{law}:SPLAY'
    assert law.with_name('ran').exists()


def test_built_in_laws_need_no_name() -> None:
    assert scenario_of_run(recorded(), 'manifest.json') == Scenario(name=Scenario().name)


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(RunError, match=r'--code missing\.py: there is no such file'):
        trusted_code(['missing.py'])
