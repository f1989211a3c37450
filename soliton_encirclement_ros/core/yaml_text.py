"""Reading YAML that people write by hand: mistakes end in one line, doubled keys are mistakes."""

from pathlib import Path
from typing import Any

import yaml

from soliton_encirclement_ros.core.errors import ScenarioError


class _Loader(yaml.SafeLoader):
    """The safe loader, which by itself lets the last of two equal keys win without a word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return a mapping whose keys are all different."""
        seen = set()
        for key, _ in node.value:
            if key.value in seen and isinstance(key, yaml.ScalarNode):
                line = key.start_mark.line + 1
                raise yaml.YAMLError(f'line {line}: key {key.value!r} is there twice')
            if isinstance(key, yaml.ScalarNode):
                seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_yaml(text: str) -> Any:
    """Return the content of a YAML text.

    Raises:
        ScenarioError: The text is no YAML; the reason is in one line.
    """
    try:
        return yaml.load(text, _Loader)
    except (yaml.YAMLError, ValueError, AttributeError, KeyError, TypeError) as error:
        raise ScenarioError(f'not valid YAML: {" ".join(str(error).split())}') from None
    except RecursionError:
        raise ScenarioError('not valid YAML: nested too deeply') from None


def read_text(path: Path, what: str) -> str:
    """Return the text of a file.

    Args:
        path: The file.
        what: What it should be, named in errors.

    Raises:
        ScenarioError: The file cannot be read, or is no text; the reason is in one line.
    """
    try:
        return path.read_text(encoding='utf-8')
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, 'strerror', None) or 'not UTF-8 text'
        raise ScenarioError(f'{path}: cannot read the {what}: {reason}') from None


def content_of(text: str, path: Path) -> Any:
    """Return the content of a file's YAML text.

    Raises:
        ScenarioError: The text is no YAML; the file and the reason are in one line.
    """
    try:
        return read_yaml(text)
    except ScenarioError as error:
        raise ScenarioError(f'{path}: {error}') from None
