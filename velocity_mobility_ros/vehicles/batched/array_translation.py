"""Functions of numbers rewritten as functions of arrays, with all that they call.

Predicated execution: both branches of an ``if`` run, each as a function of the variables that it
assigns, and every variable gets the value of its own branch in each element. What follows a branch
that returns belongs to the other one. A condition that is the same in all elements takes one
branch only. ``and``, ``or``, ``not`` and conditional expressions become such choices, too.

    if x > limit:       def __then0(): return limit
        return limit    def __else0(): return x
    return x            return __either(x > limit, __then0, __else0)
"""

import ast
import copy
import functools
import inspect
import textwrap
import types
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, NoReturn

import numpy as np

from velocity_mobility_ros.vehicles.batched.array_namespace import (
    BatchError, Namespace, Value, like
)

KNOWN = (
    ast.arguments, ast.arg, ast.Assign, ast.Return, ast.If, ast.For, ast.Pass, ast.Expr, ast.Name,
    ast.Constant, ast.Tuple, ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.BoolOp,
    ast.Compare, ast.IfExp, ast.Call, ast.keyword, ast.expr_context, ast.operator, ast.unaryop,
    ast.boolop, ast.cmpop,
)  # fmt: skip
REFUSED = (ast.Pow, ast.MatMult, ast.In, ast.NotIn)

Block = list[ast.stmt]


@functools.cache
def over_arrays(function: Callable, xp: Namespace) -> Callable:
    """Return a function of numbers as a function of arrays.

    Args:
        function: A pure function of numbers and records, as those of a vehicle.
        xp: The library of its arrays; of the numbers and arrays that it is given, the arrays have
            one element per body.

    Raises:
        BatchError: It, or a function that it calls, uses something that has no meaning over
            arrays; the message names function, line and construct.
    """
    try:
        lines, first_line = inspect.getsourcelines(function)
        (tree,) = ast.parse(textwrap.dedent(''.join(lines))).body
        if not isinstance(tree, ast.FunctionDef):
            raise TypeError
    except (OSError, TypeError, SyntaxError):  # built in, or a lambda
        raise BatchError(f'the source of {function} is needed, and there is none') from None
    ast.increment_lineno(tree, first_line - 1)
    translation = Translation(function, xp)
    module = ast.fix_missing_locations(ast.Module([translation.function(tree)], []))
    exec(compile(module, inspect.getsourcefile(function) or '?', 'exec'), translation.links)
    result = translation.links[function.__name__]
    result.__defaults__, result.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return result


def support(xp: Namespace) -> dict[str, Any]:
    """Return what every rewritten function may call, by name."""

    def either(test: Value, first: Callable, second: Callable, *values: Value) -> Value:
        taken = xp.condition(test)
        if isinstance(taken, bool):
            return (first if taken else second)(*values)
        return select(xp, taken, first(*values), second(*values))

    return {
        '__either': either, '__divide': divide,
        '__and': lambda first, second: either(first, second, lambda: first),
        '__or': lambda first, second: either(first, lambda: first, second),
        'min': lambda first, second: either(second < first, lambda: second, lambda: first),
        'max': lambda first, second: either(second > first, lambda: second, lambda: first),
        'abs': abs,
        'range': lambda *bounds: range(*map(common, bounds)),
        **{kind.__name__: functools.partial(xp.converted, kind) for kind in (bool, int, float)},
    }  # fmt: skip


def select(xp: Namespace, taken: Value, one: Value, other: Value) -> Value:
    """Return one value where a condition holds, and another elsewhere; records by field."""
    if one is other or other is None:
        return one
    if one is None:
        return other
    if isinstance(one, tuple):
        pairs = zip(one, other, strict=True)
        return like(one, (select(xp, taken, *pair) for pair in pairs))
    return xp.where(taken, one, other)


def divide(one: Value, other: Value) -> Value:
    """Return a quotient; numbers divided by zero give what elements and machine code do."""
    try:
        return one / other
    except ZeroDivisionError:
        return float(np.divide(one, other))


def common(bound: Value) -> int:
    """Return a bound of a loop, which is the same for all bodies."""
    numbers = {bound} if isinstance(bound, int) else {*bound.tolist()}
    if len(numbers) > 1:
        raise BatchError(
            f'a loop of {min(numbers)} to {max(numbers)} rounds must be the same for all bodies'
        )
    return numbers.pop()


class Translation(ast.NodeTransformer):
    """The translation of one function.

    Attributes:
        links: What stands for all that the function looks up outside of itself, by name.
    """

    def __init__(self, function: Callable, xp: Namespace) -> None:
        """Begin with what every function may call."""
        self.links = {'__name__': function.__module__, **support(xp)}
        self._known = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
        self._own = {*function.__code__.co_varnames}
        self._function, self._xp = function, xp
        self._numbers = count()

    def function(self, tree: ast.FunctionDef) -> ast.FunctionDef:
        """Return the function over arrays, without hints and defaults."""
        self._line = tree.lineno
        if not always_returns(tree.body):
            self._refuse('a way to its end without return')
        for arg in nodes([tree.args], ast.arg):
            arg.annotation = None
        tree.args.defaults, tree.args.kw_defaults = [], [None] * len(tree.args.kwonlyargs)
        tree.decorator_list, tree.returns = [], None
        unset = sorted(assigned(tree.body) - {arg.arg for arg in nodes([tree.args], ast.arg)})
        tree.body = with_rests(tree.body)
        super().generic_visit(tree)
        tree.body[:0] = written(tree, '\n'.join(f'{name} = None' for name in unset))
        return tree

    def _refuse(self, what: str) -> NoReturn:
        place = f'{self._function.__qualname__}, line {self._line}'
        raise BatchError(f'{place}: {what} cannot be done over arrays')

    def visit(self, node: ast.AST) -> Any:
        """Return the translation of a node, in its place."""
        self._line = getattr(node, 'lineno', self._line)
        result = super().visit(node)
        return result if isinstance(result, list) else ast.copy_location(result, node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Translate the parts of what stays as it is."""
        if not isinstance(node, KNOWN) or isinstance(node, REFUSED):
            self._refuse(type(node).__name__.lower())
        return super().generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Link what is looked up outside of the function."""
        value = self._known.get(node.id)
        if node.id in self._own or (value is None and node.id in self.links):
            return node
        if isinstance(value, types.ModuleType):
            value = self._xp.modules.get(value.__name__)
        elif isinstance(value, types.FunctionType) and value is not self._function:
            value = over_arrays(value, self._xp)
        elif not isinstance(value, (int, float, tuple, type)):
            value = None
        if value is None:
            self._refuse(node.id)
        self.links[node.id] = value
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """Return a loop over a range."""
        over_range = ast.unparse(node.iter).startswith('range(')
        if node.orelse or nodes([node], ast.Return) or not over_range:
            self._refuse('a loop with return or else, or over no range,')
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Return a call of what is known."""
        self.generic_visit(node)
        module, _, name = ast.unparse(node.func).rpartition('.')
        known = getattr(self.links.get(module), name, None) if module else self.links.get(name)
        if not callable(known):
            self._refuse(f'the call of {ast.unparse(node.func)}')
        return node

    def visit_If(self, node: ast.If) -> Block:
        """Return a choice between two functions."""
        names = ''.join(f'{name}, ' for name in sorted(assigned([node])))
        number, returns = next(self._numbers), always_returns([node])
        self.generic_visit(node)
        choice = f'__either({{0}}, __then{number}, __else{number}, {names})'
        then, other, last = written(
            node,
            f'def __then{number}({names}): return ({names})\n'
            f'def __else{number}({names}): return ({names})\n'
            + (f'return {choice}' if returns else f'({names}) = {choice}'),
            node.test,
        )
        then.body[:0], other.body[:0] = node.body, node.orelse
        return [then, other, last]

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """Return a plain assignment: one in place would change the array of another variable."""
        if not isinstance(node.target, ast.Name):
            self._refuse('a change of a part of a value')
        value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        return ast.Assign([node.target], self.visit(ast.copy_location(value, node)))

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Return arithmetic as it is, but quotients."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return expression(node, '__divide({}, {})', node.left, node.right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Return ``not`` as a choice."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not):
            return node
        return expression(node, '__either({}, lambda: False, lambda: True)', node.operand)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Return ``and`` and ``or`` as choices."""
        self.generic_visit(node)
        text = '__and({}, lambda: {})' if isinstance(node.op, ast.And) else '__or({}, lambda: {})'
        *firsts, result = node.values
        for operand in firsts[::-1]:
            result = expression(node, text, operand, result)
        return result

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Return a chain as comparisons joined by ``and``."""
        pairs = zip([node.left, *node.comparators], node.ops, node.comparators, strict=False)
        comparisons = [ast.Compare(left, [operator], [right]) for left, operator, right in pairs]
        if len(comparisons) == 1:
            return self.generic_visit(node)
        return self.visit(expression(node, ' and '.join(['{}'] * len(comparisons)), *comparisons))

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """Return the conditional expression as a choice."""
        self.generic_visit(node)
        text = '__either({}, lambda: {}, lambda: {})'
        return expression(node, text, node.test, node.body, node.orelse)


def with_rests(block: Block) -> Block:
    """Return a block in which what follows a branch that returns belongs to the other one."""
    for i, statement in enumerate(block):
        if isinstance(statement, ast.If) and nodes([statement], ast.Return):
            statement.body, statement.orelse = (
                with_rests(way if always_returns(way) else [*way, *copy.deepcopy(block[i + 1 :])])
                for way in (statement.body, statement.orelse)
            )
            return block[: i + 1]
    return block


def always_returns(block: Block) -> bool:
    """Return whether every way through a block ends in a ``return``."""
    return any(
        isinstance(node, ast.Return)
        or (isinstance(node, ast.If) and always_returns(node.body) and always_returns(node.orelse))
        for node in block
    )


def assigned(block: Block) -> set[str]:
    """Return the names of the variables that a block assigns."""
    return {name.id for name in nodes(block, ast.Name) if isinstance(name.ctx, ast.Store)}


def nodes(block: Iterable[ast.AST], kind: type) -> list[Any]:
    """Return the nodes of a kind in a block."""
    return [node for part in block for node in ast.walk(part) if isinstance(node, kind)]


def written(place: ast.AST, text: str, *parts: ast.AST) -> list[Any]:
    """Return the statements of a text with some parts, in the place of another one."""
    statements = ast.parse(text.format(*map(ast.unparse, parts))).body
    for node in nodes(statements, ast.AST):
        ast.copy_location(node, place)
    return statements


def expression(place: ast.AST, text: str, *parts: ast.AST) -> ast.expr:
    """Return the same of an expression."""
    return written(place, text, *parts)[0].value
