"""Reads README.md, CONTRIBUTING.md and docs/: the blocks of pages, and the commands in them."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[2]
_DOCS = [
    str(path.relative_to(REPOSITORY)) for path in sorted(REPOSITORY.glob('docs/**/*.md'))
    if 'examples' not in path.parts  # packages of their own, which a test installs
]  # fmt: skip
TUTORIALS = tuple(page for page in _DOCS if page.startswith('docs/tutorials/'))
PAGES = ('README.md', 'CONTRIBUTING.md', *(page for page in _DOCS if page not in TUTORIALS))

_BLOCK = re.compile(
    r'^( *)```([^\s`]*)(?: title="([^"\n]*)")?\n(.*?)^\1```$', re.MULTILINE | re.DOTALL
)
_COMMENT = re.compile(r'(^|\s)#.*')
_INLINE = re.compile(r'(?<!`)`([^`]+)`(?!`)')


class Block(NamedTuple):
    """A fenced block: the line of its first line, its language, its text, and its title if any."""

    line: int
    language: str
    text: str
    title: str = ''


class Command(NamedTuple):
    """A command as it is typed: where it stands, and its words."""

    place: str
    words: tuple[str, ...]


def text_of(page: str) -> str:
    """Return the text of a page."""
    return (REPOSITORY / page).read_text(encoding='utf-8')


def blocks(page: str, *languages: str) -> list[Block]:
    """Return the fenced blocks of a page in order, of some languages only if any are given."""
    text = text_of(page)
    found = [
        Block(text.count('\n', 0, hit.start()) + 2, hit[2], hit[4], hit[3] or '')
        for hit in _BLOCK.finditer(text)
    ]
    return [block for block in found if not languages or block.language in languages]


def prose(page: str) -> str:
    """Return a page without its fenced blocks; lines keep their numbers."""
    return _BLOCK.sub(lambda hit: '\n' * hit[0].count('\n'), text_of(page))


def commands(page: str) -> list[Command]:
    """Return what the `sh` blocks of a page say, in order."""
    return [command for block in blocks(page, 'sh') for command in commands_in(block, page)]


def commands_in(block: Block, page: str) -> Iterator[Command]:
    """Iterate over the commands of a block; `&&` and `;` separate two of a line."""
    lines = block.text.split('\n')
    for number, line in enumerate(lines):
        place = f'{page}:{block.line + number}'
        while (line := _COMMENT.sub('', line)).endswith('\\') and number + 1 < len(lines):
            number += 1
            line = line[:-1] + lines[number]
            lines[number] = ''
        yield from _split(line, place)


def _split(line: str, place: str) -> Iterator[Command]:
    """Iterate over the commands of a line."""
    reader = shlex.shlex(line, posix=True, punctuation_chars='&;')
    reader.whitespace_split = True
    reader.commenters = ''
    words: list[str] = []
    for word in (*reader, ';'):
        if not set(word) <= {'&', ';'}:
            words.append(word)
        elif words:
            yield Command(place, tuple(words))
            words = []


def inline_commands(page: str, program: str) -> list[Command]:
    """Return what the prose and the tables of a page say in backticks that begins so."""
    text = prose(page)
    return [
        Command(f'{page}:{text.count(chr(10), 0, hit.start()) + 1}', tuple(_words(hit[1])))
        for hit in _INLINE.finditer(text)
        if hit[1].split()[:1] == [program]
    ]


def _words(text: str) -> list[str]:
    """Return the words of what stands in backticks, perhaps broken into lines."""
    return shlex.split(text.replace('\\|', '|'))
