"""Files of single members: of target and adversary by name, of agents by a text.

The text is such as ``iris: 2 3; x500: 5``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError


def agents_by_file(text: str, name: str, kind: str, example: str) -> dict[str, list[str]]:
    """Return numbers of agents by file.

    Args:
        text: The text.
        name: Name of the parameter, for the error.
        kind: What kind of file it is.
        example: A valid part of a text.

    Raises:
        ScenarioError: The text is not understood.
    """
    found: dict[str, list[str]] = {}
    for part in filter(None, map(str.strip, text.split(';'))):
        file, colon, words = part.rpartition(':')
        if not (colon and file.strip() and words.split()):
            raise ScenarioError(
                f'{name}: {shown(part)} must be a {kind}, a colon and numbers of agents, such as '
                f'{example}'
            )
        found.setdefault(file.strip(), []).extend(words.split())
    return found


def with_absolute_files(
    values: Mapping[str, Any], names: Sequence[str], text: str, absolute: Callable[[str], str]
) -> dict[str, Any]:
    """Return the values of a section with absolute paths of the files in a folder.

    What is not understood is returned as it is, to be refused later.

    Args:
        values: The values by key.
        names: Keys of single files.
        text: Key of the files of agents.
        absolute: Returns the absolute path of a file in the folder, any other name unchanged.
    """
    changed = dict(values)
    for key in names:
        if isinstance(values.get(key), str):
            changed[key] = absolute(values[key])
    agents = values.get(text)
    if isinstance(agents, str):
        parts = [part.rpartition(':') for part in agents.split(';')]
        changed[text] = ';'.join(
            f'{absolute(name.strip())}{colon}{words}' for name, colon, words in parts
        )
    return changed
