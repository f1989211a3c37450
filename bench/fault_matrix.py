"""What the bridge of an autopilot makes of every fault, in every state, as a table.

    python bench/fault_matrix.py

Each cell: the states that follow within four seconds, what the autopilot is asked for, and
whether setpoints (s) and the heartbeat (h) go on. A dash: nothing changes.
"""

import sys
from pathlib import Path

import velocity_mobility_ros  # noqa: F401  before the folder of its tests, which has its name

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test'))

from support.autopilot.fault_matrix import STATES, Cell, matrix


def shown(cell: Cell) -> str:
    """Return a cell as text."""
    way = ' > '.join(state.name for state in cell.way) or '-'
    asked = f' [{", ".join(cell.asked)}]' if cell.asked else ''
    signs = ('s' if cell.setpoints else '') + ('h' if cell.heartbeat else '')
    return f'{way}{asked} {signs}'.strip()


def main() -> int:
    """Print the table."""
    print(f'| fault | {" | ".join(state.name for state in STATES)} |')
    print('| --- ' * (len(STATES) + 1) + '|')
    for fault, cells in matrix():
        print(f'| {fault.name} | {" | ".join(map(shown, cells))} |')
    return 0


if __name__ == '__main__':
    sys.exit(main())
