"""Builds what is not up to date: ``python -m support.interfaces.build DISTRIBUTION FOLDER``.

Each package gets a folder that can be put before others, as a colcon workspace's can. What the
generators and the compiler say goes to stdout; the last line on stderr says what failed.
"""

import shutil
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from support.interfaces.compilation import compile_module, trouble
from support.interfaces.generation import Sources
from support.interfaces.packages import Package, packages
from support.interfaces.prefix import install
from support.interfaces.reuse import remember
from support.interfaces.stamps import is_up_to_date, write_stamp


class Builder:
    """Generates in this thread what the compiler compiles beside it."""

    def __init__(self, folder: Path) -> None:
        """Remember where the packages land."""
        self._folder = folder
        self._compiler = ThreadPoolExecutor(1)
        self._compiled: dict[str, Future[None]] = {}

    def add(self, package: Package) -> None:
        """Generate a package, and let it be compiled."""
        for name in package.siblings:
            if name in self._compiled:
                self._compiled[name].result()
        work = self._folder / f'.{package.folder}'
        shutil.rmtree(work, ignore_errors=True)
        Sources(package, work, self._folder).write()
        self._compiled[package.folder] = self._compiler.submit(self._finish, package, work)

    def end(self) -> None:
        """Wait for the compiler; raise what failed."""
        for future in self._compiled.values():
            future.result()
        self._compiler.shutdown()

    def _finish(self, package: Package, work: Path) -> None:
        """Compile a package and put it in place as the last step."""
        compile_module(package, work, self._folder)
        ready, place = work / 'prefix', self._folder / package.folder
        install(package, work, ready)
        write_stamp(package, ready)
        shutil.rmtree(place, ignore_errors=True)
        ready.rename(place)
        shutil.rmtree(work)


def main(distribution: str, folder: Path) -> int:
    """Build the packages of a distribution into a folder; return the exit code."""
    old = [package for package in packages(distribution) if not is_up_to_date(package, folder)]
    lacks = trouble() if old else ''
    if lacks:
        print(lacks, file=sys.stderr)
        return 1
    remember()
    builder = Builder(folder)
    for package in old:
        builder.add(package)
    builder.end()
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], Path(sys.argv[2]).absolute()))
