"""Everything that can run, and where its files go."""

import re
from pathlib import Path

from setuptools import find_packages, setup

# isort: split
# Python 3.12 has no distutils: this is the copy in setuptools, there once setuptools is imported.
from distutils.command.install_data import install_data

PACKAGE = 'soliton_encirclement_ros'
# The lowest versions are those of requirements/noble.txt, on which the tests run. The bag writer
# builds on internals of rosbags, so a version that was not tried is none that works.
INSTALL = [
    'setuptools',
    'lz4>=4.1.0',
    'matplotlib>=3.6.3',
    'mcap>=1.2.1',
    'numba>=0.58.1',
    'numpy>=1.26.4',
    'orjson>=3.9.15',
    'pandas>=2.1.4',
    'plotly>=5.15.0',
    'pymap3d>=3.0.1',
    'PyYAML>=6.0.1',
    'rich>=13.7.1',
    'rosbags>=0.11.9,<0.12',
    'scipy>=1.11.4',
    'starlette>=0.31.1',
    'threadpoolctl>=3.1.0',
    'transforms3d>=0.4.1',
    'typer>=0.9.0',
    'uvicorn>=0.27.1',
    'websockets>=10.4',
    'zstandard>=0.22.0',
]
NODES = 'soliton_encirclement_ros.cli.executables'
EXECUTABLES = {
    'swarm': 'soliton_encirclement_ros.cli.main:command',
    'mobility_node': f'{NODES}:mobility_node',
    'twist_limiter_node': f'{NODES}:twist_limiter_node',
    'trajectory_node': f'{NODES}:trajectory_node',
    'px4_bridge_node': f'{NODES}:px4_bridge_node',
    'ardupilot_bridge_node': f'{NODES}:ardupilot_bridge_node',
    'mavros_bridge_node': f'{NODES}:mavros_bridge_node',
    'agent_node': f'{NODES}:agent_node',
    'safety_node': f'{NODES}:safety_node',
    'target_node': f'{NODES}:target_node',
    'adversary_node': f'{NODES}:adversary_node',
    'world_node': f'{NODES}:world_node',
    'monitor_node': f'{NODES}:monitor_node',
    'recorder_node': f'{NODES}:recorder_node',
    'node_host': f'{NODES}:node_host',
}


def version() -> str:
    """Return the one version, which stands in velocity_mobility_ros."""
    # Not `attr:` in setup.cfg: setuptools then prints a line that colcon takes for its answer.
    source = Path('velocity_mobility_ros/__init__.py').read_text(encoding='utf-8')
    return re.search(r"^__version__ = '(.+)'", source, re.MULTILINE)[1]


def shared_files() -> list[tuple[str, list[str]]]:
    """Return the data files: index marker, package.xml, and config/ and launch/ as they lie."""
    folders: dict[str, list[str]] = {
        'share/ament_index/resource_index/packages': [f'resource/{PACKAGE}'],
        f'share/{PACKAGE}': ['package.xml'],
    }
    for top in ('config', 'launch'):
        for path in sorted(Path(top).rglob('*')):
            if path.is_file() and '__pycache__' not in path.parts:
                folders.setdefault(f'share/{PACKAGE}/{path.parent}', []).append(str(path))
    return list(folders.items())


class InstallData(install_data):
    """Adds lib/<package>/<executable> to a wheel: `ros2 run` looks there, pip fills only bin/.

    A build by colcon is left alone: it puts the real scripts there (setup.cfg).
    """

    def run(self) -> None:
        """Install the data files; in a wheel, also one relative wrapper per executable."""
        super().run()
        if 'bdist_wheel' not in self.distribution.command_obj:
            return
        folder = Path(self.install_dir, 'lib', PACKAGE)
        folder.mkdir(parents=True, exist_ok=True)
        for name in EXECUTABLES:
            wrapper = folder / name
            wrapper.write_text(f'#!/bin/sh\nexec "${{0%/*}}/../../bin/{name}" "$@"\n')
            wrapper.chmod(0o755)
            self.outfiles.append(str(wrapper))


setup(
    name=PACKAGE,
    version=version(),
    description='A swarm of mobile robots that keeps an evenly spaced ring round a moving target.',
    maintainer='Soliton Encirclement Maintainers',
    maintainer_email='maintainers@example.org',
    license='MIT',
    python_requires='>=3.10',
    packages=find_packages(
        include=['velocity_mobility_ros', 'velocity_mobility_ros.*', PACKAGE, f'{PACKAGE}.*']
    ),
    package_data={f'{PACKAGE}.analysis.report': ['assets/*', 'assets/*/*']},
    data_files=shared_files(),
    install_requires=INSTALL,
    extras_require={
        'batched': ['torch'],
        'cluster': ['dask', 'distributed'],
        'foxglove': ['foxglove-sdk>=0.30.3'],
        'logs': ['pymavlink>=2.4.50', 'pyulog>=1.3.0'],
        'parquet': ['pyarrow>=15.0.2'],
        'rerun': ['rerun-sdk>=0.39.0'],
        'rl': ['gymnasium>=1.1.1', 'pettingzoo>=1.25.0'],
        'tuning': ['optuna'],
        'test': ['hypothesis', 'pytest', 'pytest-timeout', 'pytest-xdist'],
    },
    entry_points={
        'console_scripts': [f'{name} = {target}' for name, target in EXECUTABLES.items()]
    },
    cmdclass={'install_data': InstallData},
    zip_safe=False,
)
