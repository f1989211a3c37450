"""Functions of numbers rewritten as functions of arrays: the expressions.

Arithmetic and single comparisons stay as they are; what decides something in plain Python
(``and``, ``or``, ``not``, chained comparisons, the conditional expression) becomes a call of
``predication.py``. Parts that plain Python may leave out are passed as functions.
"""

import ast
from collections.abc import Container
from typing import NoReturn

from soliton_encirclement_ros.sim.batched.errors import BatchError

TAKEN = (
    ast.Name, ast.Tuple, ast.Starred, ast.Attribute, ast.Subscript, ast.Slice, ast.keyword,
    ast.expr_context, ast.operator, ast.unaryop,
)  # fmt: skip
"""What stays as it is, but for its parts."""

REFUSED = (ast.Pow, ast.MatMult)


class Expressions(ast.NodeTransformer):
    """The translation of the expressions of one function."""

    def __init__(self, where: str, first_line: int, callable_names: Container[str]) -> None:
        """Store what errors need, and what may be called.

        Args:
            where: Name of the function.
            first_line: Line of its file in which its source begins.
            callable_names: Names of functions and records, and ``module.function``.
        """
        self._where = where
        self._first_line = first_line
        self._callable = callable_names
        self._middles = 0

    def refuse(self, place: ast.AST, what: str) -> NoReturn:
        """Refuse a construct.

        Raises:
            BatchError: Always.
        """
        line = self._first_line + getattr(place, 'lineno', 1) - 1
        raise BatchError(f'{self._where}, line {line}: {what} cannot be done over arrays')

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Translate the parts of an expression that is known to be one."""
        if isinstance(node, REFUSED) or not isinstance(node, TAKEN):
            self.refuse(node, type(node).__name__.lower())
        return super().generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Return a number or flag as it is."""
        if not isinstance(node.value, (bool, int, float, type(None))):
            self.refuse(node, f'the constant {node.value!r}')
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Return arithmetic as it is; only numbers divided by zero differ from elements."""
        if isinstance(node.op, REFUSED):
            self.refuse(node, f'the operator {type(node.op).__name__.lower()}')
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Div):
            return _at(node, call('__divide', left, right))
        return _at(node, ast.BinOp(left, node.op, right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """Return ``not`` as a call."""
        operand = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            return _at(node, call('__not', operand))
        return _at(node, ast.UnaryOp(node.op, operand))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Return ``and`` and ``or`` as calls."""
        name = '__and' if isinstance(node.op, ast.And) else '__or'
        found = self.visit(node.values[-1])
        for one in reversed(node.values[:-1]):
            found = call(name, self.visit(one), later(found))
        return _at(node, found)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Return a chain as comparisons joined by ``and``; what is between is computed once."""
        if isinstance(node.ops[0], (ast.In, ast.NotIn)):
            self.refuse(node, 'the operator in')
        left, right = self.visit(node.left), self.visit(node.comparators[0])
        if len(node.ops) == 1:
            return _at(node, ast.Compare(left, node.ops, [right]))
        self._middles += 1
        name = f'__middle{self._middles}'
        stored = ast.NamedExpr(ast.Name(name, ast.Store()), right)
        rest = ast.copy_location(ast.Compare(load(name), node.ops[1:], node.comparators[1:]), node)
        first = ast.Compare(left, node.ops[:1], [stored])
        return _at(node, call('__and', first, later(self.visit_Compare(rest))))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Return the conditional expression as a call."""
        test, body, orelse = map(self.visit, (node.test, node.body, node.orelse))
        return _at(node, call('__either', test, later(body), later(orelse)))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Return a call of what is known, with its arguments translated."""
        name = ast.unparse(node.func)
        if name not in self._callable:
            self.refuse(node, f'the call of {name}')
        arguments = [self.visit(one) for one in node.args]
        keywords = [ast.keyword(one.arg, self.visit(one.value)) for one in node.keywords]
        return _at(node, ast.Call(node.func, arguments, keywords))


def load(name: str) -> ast.expr:
    """Return the value of a variable."""
    return ast.Name(name, ast.Load())


def call(name: str, *arguments: ast.expr) -> ast.expr:
    """Return a call of a function."""
    return ast.Call(load(name), list(arguments), [])


def later(value: ast.expr) -> ast.expr:
    """Return a function without arguments that computes a value; constants, too."""
    empty = ast.arguments([], [], None, [], [], None, [])
    return ast.Lambda(empty, value)


def _at(old: ast.expr, new: ast.expr) -> ast.expr:
    return ast.fix_missing_locations(ast.copy_location(new, old))
