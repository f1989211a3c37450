"""Mistakes that are put into an agent on purpose, which a chaos run must find.

    python mutants.py MISTAKE EXECUTABLE --ros-args ...
"""

import sys

MUTANTS = {}

if __name__ == '__main__':
    from soliton_encirclement_ros.cli import executables

    mistake, executable = sys.argv[1:3]
    del sys.argv[1:3]
    MUTANTS[mistake]()
    sys.exit(getattr(executables, executable)())
