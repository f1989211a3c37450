"""Public names of a package that are imported on first use, so that importing it stays fast."""

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def by_name(places: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the module of every name, given the names of every module."""
    return {name: module for module, names in places.items() for name in names}


def importing(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package, which imports a name and keeps it (PEP 562).

    Args:
        package: Name of the package.
        places: Module of every name, below the package.
    """

    def imported(name: str) -> Any:
        """Import a name at its first use."""
        if name not in places:
            raise AttributeError(f'module {package!r} has no attribute {name!r}')
        value = getattr(importlib.import_module(f'{package}.{places[name]}'), name)
        setattr(sys.modules[package], name, value)
        return value

    return imported
