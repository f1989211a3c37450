"""The drawing of docs/reference/structure.md shows the imports as they are."""

from pathlib import Path

from test_import_rules import SOLITON, VELOCITY, plant

from support.room_drawing import BLOCK, PAGE, drawing, rooms_imported


def test_the_drawing_is_that_of_the_imports(repository: Path) -> None:
    shown = BLOCK.findall(PAGE.read_text(encoding='utf-8'))
    assert shown == [drawing(repository)], 'PYTHONPATH=.:test python -m support.room_drawing'


def test_an_arrow_that_two_others_make_is_left_out(tmp_path: Path) -> None:
    plant(tmp_path, {
        f'{SOLITON}/sim/x.py': f'import {SOLITON}.swarm.y, {VELOCITY}.core.z',
        f'{SOLITON}/swarm/y.py': f'import {VELOCITY}.core.z',
        f'{VELOCITY}/core/z.py': '',
    })  # fmt: skip
    found = rooms_imported(tmp_path)
    assert found[f'{SOLITON}.sim'] == {f'{SOLITON}.swarm'}
    assert found[f'{SOLITON}.swarm'] == {f'{VELOCITY}.core'}
