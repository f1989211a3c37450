"""One-line errors, with advice, for libraries that are missing, cannot be loaded, or warn.

Uses the standard library alone, so that it works when everything else is missing.
"""

import os
import sys
from typing import NamedTuple

from velocity_mobility_ros.core.shortage import end_for_shortage, shortage

WRONG_INPUT = 2

PACKAGE = __name__.partition('.')[0]


class Library(NamedTuple):
    """The user of a library, and its packages on Ubuntu 24.04 and pip."""

    purpose: str
    apt: str | None
    pip: str


ROS = Library(
    'nodes and recording', None, '"ros-rclpy[fastrtps]", or source /opt/ros/DISTRO/setup.bash'
)

LIBRARIES = {
    'foxglove': Library('streams to Foxglove', None, f'"{PACKAGE}[foxglove]"'),
    'lz4': Library('bags', 'python3-lz4', 'lz4'),
    'matplotlib': Library('pictures', 'python3-matplotlib', 'matplotlib'),
    'numba': Library('compiled laws', None, 'numba'),
    'numpy': Library('everything', 'python3-numpy', 'numpy'),
    'orjson': Library('CSV tables of simulations', None, 'orjson'),
    'plotly': Library('the report page', 'python3-plotly', 'plotly'),
    'pyarrow': Library('Parquet tables', None, 'pyarrow'),
    'rclpy': ROS,
    'rosbags': Library('bags', None, 'rosbags'),
    'rerun': Library('streams to Rerun', None, f'"{PACKAGE}[rerun]"'),
    'rich': Library('the command line', 'python3-rich', 'rich'),
    'scipy': Library('fitting', 'python3-scipy', 'scipy'),
    'transforms3d': Library('attitudes', 'python3-transforms3d', 'transforms3d'),
    'typer': Library('the command line', 'python3-typer', 'typer'),
    'yaml': Library('scenario files', 'python3-yaml', 'PyYAML'),
    'zstandard': Library('compressed bags', 'python3-zstandard', 'zstandard'),
}  # fmt: skip
"""By the name that is imported."""


def draw_into_files() -> None:
    """Make matplotlib draw into files, whatever the environment sets.

    matplotlib cannot be imported if ``MPLBACKEND`` names a backend that is not
    installed, as in a shell that Jupyter has started.
    """
    os.environ['MPLBACKEND'] = 'Agg'


def explain(error: ImportError | Warning) -> str | None:
    """Return one line about a library that is missing or broken, None for any other error."""
    if isinstance(error, Warning):
        text = ' '.join(str(error).split())[:200]
        return (
            f'a library warns ({type(error).__name__}: {text}), and PYTHONWARNINGS or -W makes an '
            'error of it; unset that'
        )
    name = (error.name or '').partition('.')[0]
    library = LIBRARIES.get(name)
    if library is None:
        return None
    ways = [f'pip install {library.pip}']
    if library.apt is not None:
        ways.insert(0, f'sudo apt install {library.apt}')
    if isinstance(error, ModuleNotFoundError):
        trouble = 'is not installed'
    else:
        trouble = f'cannot be loaded ({" ".join(str(error).split())[:200]})'
    return f'{name} {trouble}; {library.purpose} need it: {", or ".join(ways)}'


def refuse_library(error: Exception) -> int:
    """Print one line about a library that is missing or warns, and return the exit code.

    If memory or threads are missing, the process ends here.

    Raises:
        Exception: It is another error.
    """
    if (line := shortage(error)) is not None:
        end_for_shortage(line)
    line = explain(error) if isinstance(error, (ImportError, Warning)) else None
    if line is None:
        raise error
    print(f'error: {line}', file=sys.stderr)
    return WRONG_INPUT
