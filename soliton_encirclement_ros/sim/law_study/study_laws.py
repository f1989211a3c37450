"""The laws of a study: each with its settings and, if it is to be tuned, its search space."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from velocity_mobility_ros.core.plugins import file_of, whole_name
from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.experiment_records import CONTROLLER, Gains
from soliton_encirclement_ros.sim.law_study.file_checks import changes, mapping, named
from soliton_encirclement_ros.sim.sweeps.design import Values
from soliton_encirclement_ros.sim.sweeps.random_design import random_points

KEYS = ('controller', 'changes', 'search')


class StudyLaw(NamedTuple):
    """A law as it takes part.

    Attributes:
        name: Its name in the study.
        settings: Its parameters, with the controller, by ``section.key``.
        search: Range or choices of every gain that is tuned, as of a random design; empty: it
            flies as it is.
    """

    name: str
    settings: Values
    search: Mapping[str, Any]


def read_laws(content: Any, source: str, folder: Path) -> tuple[StudyLaw, ...]:
    """Return the laws of a section.

    Args:
        content: The section: settings by name.
        source: Its location, named in errors.
        folder: Folder of the study; files of laws are looked for there first.

    Raises:
        ScenarioError: A law is invalid.
    """
    return tuple(_law(name, one, f'{source}: {name}', folder)
                 for name, one in named(content, source).items())  # fmt: skip


def _law(name: str, content: Any, source: str, folder: Path) -> StudyLaw:
    content = mapping(content, source, KEYS)
    controller = content.get('controller', name)
    if not isinstance(controller, str):
        raise ScenarioError(f'{source}: controller = {shown(controller)} must be a name or a file')
    own = changes(content.get('changes'), f'{source}: changes')
    search = changes(content.get('search'), f'{source}: search')
    for key in (CONTROLLER, *own):
        if key in search or (key == CONTROLLER and key in own):
            raise ScenarioError(f'{source}: {key} is given twice: remove it from one place')
    if search:
        candidates(search, 1, 0, f'{source}: search')
    file = file_of(controller)
    if file and (folder / file).is_file():
        controller = whole_name(str(folder / controller))
    return StudyLaw(name, {CONTROLLER: controller, **own}, search)


def candidates(search: Mapping[str, Any], count: int, seed: int, source: str) -> list[Gains]:
    """Return sets of gains drawn at random from a search space.

    Raises:
        ScenarioError: A range is invalid.
    """
    return [*random_points({'samples': count, 'seed': seed, 'parameters': search}, source)]


def law_files(laws: Iterable[StudyLaw]) -> list[Path]:
    """Return the files of the laws that do not come along."""
    names = {law.settings[CONTROLLER] for law in laws}
    return [Path(file) for file in sorted({*map(file_of, names)} - {''})]
