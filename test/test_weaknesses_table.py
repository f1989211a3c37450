"""The table of weaknesses names tests that exist, and leaves none of the 25 out."""

import re
from pathlib import Path

NAMED = re.compile(r'`([\w/]+\.py)::(test_\w+)`')
ROW = re.compile(r'^\| W(\d+) \|', re.MULTILINE)
PAIRED = 'test_weaknesses_*.py'


def table(repository: Path) -> str:
    """Return the text of the table."""
    return (repository / 'docs' / 'research' / 'weaknesses.md').read_text(encoding='utf-8')


def test_every_named_test_exists(repository: Path) -> None:
    """A test that is renamed or dropped is noticed here."""
    root = repository / 'test' / 'soliton_encirclement_ros'
    missing = [
        f'{path}::{name}'
        for path, name in NAMED.findall(table(repository))
        if f'def {name}(' not in (root / path).read_text(encoding='utf-8')
    ]
    assert missing == []


def test_every_weakness_has_a_row(repository: Path) -> None:
    """W1 to W25, in order."""
    numbers = [int(number) for number in ROW.findall(table(repository))]
    assert sorted(set(numbers)) == list(range(1, 26)) and numbers == sorted(numbers)


def test_every_paired_test_is_in_the_table(repository: Path) -> None:
    """What holds ours and the originals to one assertion is worth naming."""
    known = {name for _, name in NAMED.findall(table(repository))}
    files = (repository / 'test').rglob(PAIRED)
    paired = {
        name
        for file in files
        if file.name != Path(__file__).name
        for name in re.findall(r'def (test_\w+)\(', file.read_text(encoding='utf-8'))
    }
    assert paired and paired <= known
