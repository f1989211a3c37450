"""No error is swallowed without a reason beside it."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOMS = ('soliton_encirclement_ros', 'velocity_mobility_ros', 'launch', 'bench')
BLIND = ('Exception', 'BaseException')


def files(repository: Path) -> Iterator[Path]:
    """Iterate over all code that is no test."""
    for room in ROOMS:
        yield from sorted((repository / room).rglob('*.py'))


def is_suppress(node: ast.AST) -> bool:
    """Say whether a node suppresses exceptions by name."""
    if not isinstance(node, ast.With):
        return False
    calls = [item.context_expr for item in node.items]
    names = [call.func for call in calls if isinstance(call, ast.Call)]
    return 'suppress' in [getattr(name, 'attr', getattr(name, 'id', '')) for name in names]


def is_silent(node: ast.AST) -> bool:
    """Say whether a node drops an exception: it passes over it, or returns without naming it."""
    if not isinstance(node, ast.ExceptHandler):
        return is_suppress(node)
    nothing = all(isinstance(one, (ast.Pass, ast.Continue)) for one in node.body)
    blind = node.type is None or getattr(node.type, 'id', '') in BLIND
    return nothing or (blind and node.name is None and not raises(node))


def raises(node: ast.ExceptHandler) -> bool:
    """Say whether a handler raises."""
    return any(isinstance(one, ast.Raise) for one in ast.walk(node))


def swallowed(text: str) -> list[int]:
    """Return the lines that drop an exception and have no comment on or round them."""
    lines, found = text.splitlines(), []
    for node in ast.walk(ast.parse(text)):
        if is_silent(node):
            around = lines[node.lineno - 2 : node.body[0].lineno]
            if not any('# ' in line for line in around):
                found.append(node.lineno)
    return sorted(found)


def test_every_swallowed_exception_has_a_reason(repository: Path) -> None:
    """A comment on the line, the one before or the first one within says why nothing is lost."""
    found = [
        f'{path.relative_to(repository)}:{line}'
        for path in files(repository)
        for line in swallowed(path.read_text(encoding='utf-8'))
    ]
    assert found == []


def test_the_rule_finds_what_it_should() -> None:
    """It looks at pass, continue, blind returns and suppress, and at nothing that tells."""
    code = (
        'try:\n    a()\nexcept OSError:\n    pass\n'
        'try:\n    a()\nexcept Exception:\n    x = 1\n'
        'with suppress(OSError):\n    a()\n'
        'try:\n    a()\nexcept OSError:\n    pass  # there is another way\n'
        'try:\n    a()\nexcept Exception as error:\n    say(error)\n'
        'try:\n    a()\nexcept OSError:\n    x = None\n'
        'try:\n    a()\nexcept Exception:\n    raise ValueError from None\n'
    )
    assert swallowed(code) == [3, 7, 9]
