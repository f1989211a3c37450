"""Words that names had before and that nobody guessed do not come back as names.

``told`` was gossip, ``means`` coefficients, ``sight`` the sensing of the target, ``kept`` whatever
was stored, selected or recorded. Prose may use them.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOMS = ('soliton_encirclement_ros', 'velocity_mobility_ros', 'launch', 'bench')
WORDS = {
    'crew', 'keeps', 'kept', 'led', 'means', 'pile', 'sight', 'sighting', 'sightings', 'sights',
    'standing', 'told', 'witness',
}  # fmt: skip

EXCEPTIONS: dict[str, set[str]] = {}
"""Names that stay, by file, each group with its reason."""


def defined_names(tree: ast.AST) -> Iterator[str]:
    """Iterate over the names that a module defines: variables, parameters, attributes, fields."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case (ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name)
                  | ast.ClassDef(name=name) | ast.arg(arg=name)):  # fmt: skip
                yield name
            case (ast.alias(asname=str(name)) | ast.ExceptHandler(name=str(name))
                  | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name))):  # fmt: skip
                yield name


def words_of(name: str) -> set[str]:
    """Return the words of a name in snake_case or CamelCase."""
    return {word.lower() for word in re.findall(r'[A-Z]+(?![a-z])|[A-Z]?[a-z]+', name)}


def replaced_names(text: str) -> set[str]:
    """Return the names with a replaced word that a module defines."""
    if not any(word in text.lower() for word in WORDS):
        return set()  # many times as fast as to parse it
    return {name for name in defined_names(ast.parse(text)) if words_of(name) & WORDS}


def test_no_name_has_a_word_that_was_replaced(repository: Path) -> None:
    """Of modules, functions, classes, parameters, variables, attributes, keys of scenarios."""
    found = {}
    for room in ROOMS:
        for path in sorted((repository / room).rglob('*.py')):
            file = str(path.relative_to(repository))
            names = replaced_names(path.read_text(encoding='utf-8')) - EXCEPTIONS.get(file, set())
            if names or words_of(path.stem) & WORDS:
                found[file] = names or {path.stem}
    assert found == {}


@pytest.mark.parametrize('text', [
    'told = 1', 'for kept in (): ...', 'with x as led: ...', 'self.means = 1', 'a, (b, keeps) = c',
    'def note_told(): ...', 'def f(*, sight=0): ...', 'class Crew: ...', 'class LastSighting: ...',
    'class A:\n    standing: bool', 'TOLD_COLUMNS = 3', 'import a as pile', '_keeps_trails = 1',
    'try: ...\nexcept E as witness: ...', '[kept for kept in x]', '(told := 1)',
    'match x:\n    case [led, *_]: ...', 'match x:\n    case [*told]: ...', 'lambda kept: 1',
])  # fmt: skip
def test_every_kind_of_definition_is_noticed(text: str) -> None:
    assert len(replaced_names(text)) == 1


def test_uses_prose_and_longer_words_are_no_names() -> None:
    text = '"""What is told."""\nx = told + a.kept\nunderstanding = filed = 1'
    assert replaced_names(text) == set()
