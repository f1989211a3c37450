"""Lets ROS 2's generators do once what they would do a dozen times for releases of one package.

They parse a definition anew for each language, and releases have most messages in common.
"""

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rosidl_pycommon
from rosidl_parser import parser


def remember() -> None:
    """Let them remember from now on, in this process."""
    parser.get_ast_from_idl_string = functools.cache(parser.get_ast_from_idl_string)
    rosidl_pycommon.expand_template = Remembered(rosidl_pycommon.expand_template)


class Remembered:
    """Expands templates; the same one of the same definition is a copy."""

    def __init__(self, expand: Callable[..., None]) -> None:
        self._expand = expand
        self._known: dict[tuple[str, ...], str] = {}

    def __call__(self, template: str, data: dict[str, Any], output: str, **options: Any) -> None:
        """Write a file, see ``rosidl_pycommon.expand_template``."""
        if 'type_source_file' not in data:
            self._expand(template, data, output, **options)
            return
        key = (
            str(options['template_basepath'] / template),
            str(data['package_name']),
            str(data['interface_path']),
            Path(data['type_source_file']).read_text('utf-8'),
            json.dumps(data['type_description_info']),
        )
        if key not in self._known:
            self._expand(template, data, output, **options)
            self._known[key] = Path(output).read_text('utf-8')
            return
        Path(output).parent.mkdir(parents=True, exist_ok=True)
        Path(output).write_text(self._known[key], 'utf-8')
