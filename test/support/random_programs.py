"""Random functions of two numbers, with a source to look into."""

import linecache
import random
from collections.abc import Callable
from itertools import count
from typing import Any

ATOMS = ('a', 'b', 'c', 'x', 'y', '0.0', '1.0', '-0.5', '2.0')


class Author:
    """Writes programs of assignments, branches, returns and loops without them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self, depth: int = 2) -> str:
        """Return an expression."""
        kind = self.random.randrange(5) if depth else 0
        if kind < 2:
            return self.random.choice(ATOMS)
        one, other = self.number(depth - 1), self.number(depth - 1)
        if kind == 2:
            return f'({one} {self.random.choice("+-*")} {other})'
        if kind == 3:
            return f'({one} if {self.condition(depth - 1)} else {other})'
        return f'{self.random.choice(("min", "max"))}({one}, {other})'

    def condition(self, depth: int = 2) -> str:
        """Return a condition."""
        kind = self.random.randrange(6) if depth else 0
        if kind < 2:
            one, other = self.number(1), self.number(1)
            return f'{one} {self.random.choice(("<", "<=", "==", ">"))} {other}'
        if kind == 2:
            return f'({self.number(1)} < {self.number(1)} <= {self.number(1)})'
        if kind == 3:
            return f'(not {self.condition(depth - 1)})'
        word = self.random.choice(('and', 'or'))
        return f'({self.condition(depth - 1)} {word} {self.condition(depth - 1)})'

    def statement(self, depth: int, may_return: bool = True) -> str:
        """Return a statement, with those in it."""
        kind = self.random.randrange(9 if depth else 4)
        if kind == 3 and not may_return:
            kind = 0
        simple = (
            f'{self.random.choice("abc")} = {self.number()}',
            f'{self.random.choice("abc")} += {self.number()}',
            f'a, b = b, {self.number()}',
            f'return {self.number()}',
        )
        if kind < 4:
            return simple[kind]
        may_return = may_return and kind != 4
        body = self.block(depth - 1, may_return)
        if kind == 4:
            return f'for k in range(3):\n{body}'
        rest = f'\nelse:\n{self.block(depth - 1, may_return)}' if kind % 2 else ''
        return f'if {self.condition()}:\n{body}{rest}'

    def block(self, depth: int, may_return: bool) -> str:
        """Return some statements."""
        count = self.random.randint(1, 3)
        return indented([self.statement(depth, may_return) for _ in range(count)])


def indented(lines: list[str]) -> str:
    """Return a block of statements."""
    return '\n'.join(f'    {line}' for one in lines for line in one.splitlines())


SERIAL = count()


def program_of(seed: int) -> Callable:
    """Return a random function, with a source to look into."""
    author = Author(seed)
    statements = [author.statement(3) for _ in range(5)]
    body = indented(['a, b, c = x, y, 1.0', *statements, 'return a + 2.0 * b - c'])
    return function_of(f'def program(x, y):\n{body}\n')


def function_of(source: str, **known: Any) -> Callable:
    """Return the function of a source that can be looked into, with what it knows by name."""
    name = f'<program {next(SERIAL)}>'
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    space: dict[str, Any] = {'__name__': 'programs_of_a_test', **known}
    exec(compile(source, name, 'exec'), space)
    return space[source.partition('(')[0].removeprefix('def ')]
