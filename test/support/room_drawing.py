"""Draws which room imports which, as Mermaid, from the imports themselves.

    python -m support.room_drawing        # with test/ on PYTHONPATH: writes it into its page

What follows from other arrows is left out: an arrow from A to C where A leads to B, and B to C.
"""

import functools
import re
from pathlib import Path

from test_import_rules import LEVELS, ROS_ROOMS, SOLITON, VELOCITY, imports, room_of

from support.pages import REPOSITORY

PAGE = REPOSITORY / 'docs' / 'reference' / 'structure.md'
BLOCK = re.compile(r'(?<=```mermaid\n).*?(?=```)', re.DOTALL)


def rooms_imported(root: Path) -> dict[str, set[str]]:
    """Return by room which others it imports, those left out that another one leads to."""
    found: dict[str, set[str]] = {room: set() for room in LEVELS}
    for one in imports(root):
        source, target = room_of(one.module), room_of(one.target)
        if source != target and {source, target} <= found.keys():
            found[source].add(target)

    @functools.cache
    def below(room: str) -> set[str]:
        return found[room].union(*map(below, found[room]))

    return {
        room: {one for one in targets if not any(one in below(other) for other in targets)}
        for room, targets in found.items()
    }


def drawing(root: Path) -> str:
    """Return the drawing."""
    lines = ['flowchart TB']
    for package in (SOLITON, VELOCITY):
        lines.append(f'  subgraph {package}')
        lines += [f'    {label(one)}[{one.partition(".")[2]}]'
                  for one in reversed(LEVELS) if one.startswith(package)]  # fmt: skip
        lines.append('  end')
    for room, targets in rooms_imported(root).items():
        lines += [f'  {label(room)} --> {label(one)}' for one in sorted(targets)]
    lines += ['  classDef ros stroke-width:4px', f'  class {",".join(map(label, ROS_ROOMS))} ros']
    return '\n'.join(lines) + '\n'


def label(room: str) -> str:
    """Return the name of a room in the drawing: that of its package by one letter."""
    package, _, name = room.partition('.')
    return f'{package[0]}_{name}'


if __name__ == '__main__':
    text = PAGE.read_text(encoding='utf-8')
    PAGE.write_text(BLOCK.sub(lambda _: drawing(REPOSITORY), text), encoding='utf-8')
