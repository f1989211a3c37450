"""Reading YAML that people write by hand: mistakes end in one line, doubled keys are mistakes."""

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
