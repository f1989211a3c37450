"""The sources of a message package: what a colcon build generates, less what rclpy does not use.

These are ROS 2's own generators, called as its CMake files call them.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rosidl_adapter.msg import convert_msg_to_idl
from rosidl_adapter.srv import convert_srv_to_idl
from rosidl_generator_c import generate_c
from rosidl_generator_py import generate_py
from rosidl_generator_type_description import generate_type_hash
from rosidl_typesupport_c import generate_c as generate_dispatch
from rosidl_typesupport_fastrtps_c import generate_typesupport_fastrtps_c
from rosidl_typesupport_introspection_c import generate_c as generate_introspection

from support.interfaces.packages import Package

ENVIRONMENT = Path(sys.prefix)
CONVERTERS = {'msg': convert_msg_to_idl, 'srv': convert_srv_to_idl}
FAST, INTROSPECTION = 'rosidl_typesupport_fastrtps_c', 'rosidl_typesupport_introspection_c'
VISIBILITY = 'rosidl_generator_c', FAST, INTROSPECTION
"""Generators that come with a header of their own."""


class Sources:
    """Writes the sources of a package into a folder."""

    def __init__(self, package: Package, folder: Path, others: Path) -> None:
        """Remember what to generate.

        Args:
            package: The package.
            folder: Where its sources land: ``c/``, ``introspection/``, and ``python/`` to import.
            others: The folder that the packages are built into.
        """
        self._package, self._folder = package, folder
        self._others = others
        self._c = folder / 'c' / package.name
        self._python = folder / 'python' / package.name
        self._introspection = folder / 'introspection' / package.name

    def write(self) -> None:
        """Generate all."""
        names = [self._idl(path, text) for path, text in self._package.files.items()]
        self._idl_tuples = [f'{self._folder}:{name}' for name in names]
        self._hash()
        described = [f'{name}:{self._python / Path(name).with_suffix(".json")}' for name in names]
        for generator in VISIBILITY:
            self._visibility(generator)
        self._run(
            generate_c, 'rosidl_generator_c', self._c, type_description_tuples=described,
            ros_interface_files=[str(self._folder / path) for path in self._package.files],
        )  # fmt: skip
        self._run(
            lambda arguments: generate_py(arguments, ['rosidl_typesupport_c']),
            'rosidl_generator_py', self._python,
        )  # fmt: skip
        self._run(
            lambda arguments: generate_dispatch(arguments, [FAST, INTROSPECTION]),
            'rosidl_typesupport_c', self._c,
        )  # fmt: skip
        self._run(generate_typesupport_fastrtps_c, FAST, self._c)
        self._run(generate_introspection, INTROSPECTION, self._introspection)
        (self._python / '__init__.py').touch()

    def _idl(self, path: str, text: str) -> str:
        """Write a definition, and as IDL; return the path of that."""
        source = self._folder / path
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text, 'utf-8')
        kind = source.parent.name
        CONVERTERS[kind](self._folder, self._package.name, Path(path), source.parent)
        return Path(path).with_suffix('.idl').as_posix()

    def _hash(self) -> None:
        """Describe the types; the descriptions of the packages that it needs are there."""
        shares = {name: ENVIRONMENT / 'share' / name for name in self._package.dependencies}
        shares |= {name: self._others / name / 'share' / name for name in self._package.siblings}
        paths = [f'{name}:{share}' for name, share in shares.items()]
        self._run(
            generate_type_hash, 'rosidl_generator_type_description', self._python,
            include_paths=paths,
        )  # fmt: skip

    def _run(self, generate: Callable[[str], Any], generator: str, out: Path, **more: Any) -> None:
        """Call a generator with a file of arguments."""
        arguments = self._folder / f'{generator}.json'
        told = {
            'package_name': self._package.name,
            'output_dir': str(out),
            'template_dir': str(ENVIRONMENT / 'share' / generator / 'resource'),
            'idl_tuples': self._idl_tuples,
            'ros_interface_dependencies': [],
            'target_dependencies': [],
        }
        arguments.write_text(json.dumps(told | more), 'utf-8')
        generate(str(arguments))

    def _visibility(self, generator: str) -> None:
        """Write the header that says which symbols are visible."""
        name = f'{generator}__visibility_control.h'
        template = ENVIRONMENT / 'share' / generator / 'resource' / f'{name}.in'
        text = template.read_text('utf-8')
        text = text.replace('@PROJECT_NAME@', self._package.name)
        text = text.replace('@PROJECT_NAME_UPPER@', self._package.name.upper())
        (self._c / 'msg').mkdir(parents=True, exist_ok=True)
        (self._c / 'msg' / name).write_text(text, 'utf-8')
