"""Functions of numbers rewritten as functions of arrays: the statements.

Predicated execution: both branches of an ``if`` run, and every variable that they assign gets the
value of its own branch in each element. ``return`` in a branch is such an assignment, too: of the
result, and of who goes on. What remains of the control flow is decided while it runs
(``predication.py``): a condition that is the same in all elements takes one branch only.

    if x > limit:               c = condition(x > limit)
        return limit            before = (live, result)
    return x                    if c is not False:
                                    result = select(live, limit, result); live = False
                                then = (live, result); live, result = before
                                live, result = select(c, then, (live, result))
                                live = condition(live)
                                if live is not False:
                                    result = select(live, x, result)
                                return result
"""

import ast
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NoReturn

from soliton_encirclement_ros.sim.batched.expressions import Expressions, call, load

LIVE, RESULT, UNSET = '__live', '__result', '__unset'
"""Who has not returned yet; what the others have returned; no value yet."""

Block = list[ast.stmt]


class Statements:
    """The translation of one function."""

    def __init__(self, expressions: Expressions) -> None:
        """Take over how its expressions are translated."""
        self._expressions = expressions
        self._numbers = count()

    def function(self, tree: ast.FunctionDef) -> ast.FunctionDef:
        """Return the function over arrays, without hints, defaults and docstring."""
        if not always_returns(tree.body):
            self._refuse(tree, 'a way to its end without return')
        arguments = tree.args
        for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            one.annotation = None
        if arguments.vararg or arguments.kwarg:
            self._refuse(tree, '*args')
        arguments.defaults, arguments.kw_defaults = [], [None] * len(arguments.kwonlyargs)
        takes = {one.arg for one in (*arguments.posonlyargs, *arguments.args)}
        *before, last = tree.body[: _end(tree.body)]
        unset = sorted(assigned([*before, last]) - takes)
        starts = [_assign(name, load(UNSET)) for name in unset]
        if any(map(_returns, before)) or not isinstance(last, ast.Return):
            starts += [_assign(RESULT, load(UNSET)), _assign(LIVE, _constant(True))]
            body = [*self._block([*before, last]), ast.Return(load(RESULT))]
        else:
            body = [*self._block(before), ast.Return(self._expressions.visit(last.value))]
        tree.body = [self._placed(one, last) for one in (*starts, *body)]
        tree.decorator_list, tree.returns = [], None
        return tree

    def _block(self, statements: Sequence[ast.stmt]) -> Block:
        found: Block = []
        for i, one in enumerate(statements):
            found += [self._placed(new, one) for new in self._statement(one)]
            if isinstance(one, ast.Return):
                break
            rest = statements[i + 1 :]
            if rest and _returns(one):
                found += self._if_live(self._block(rest), one)
                break
        return found

    def _if_live(self, body: Block, place: ast.stmt) -> Block:
        """Return what runs a block unless all have returned."""
        check = ast.If(_is_not(LIVE, True), [_assign(LIVE, call('__condition', load(LIVE)))], [])
        branch = ast.If(_is_not(LIVE, False), body, [])
        return [self._placed(one, place) for one in (check, branch)]

    def _statement(self, one: ast.stmt) -> Block:
        translate = getattr(self, f'_{type(one).__name__.lower()}', None)
        if translate is None:
            self._refuse(one, type(one).__name__.lower())
        return translate(one)

    def _pass(self, one: ast.Pass) -> Block:
        return [one]

    def _expr(self, one: ast.Expr) -> Block:
        if not (isinstance(one.value, ast.Constant) and isinstance(one.value.value, str)):
            self._refuse(one, 'an expression without effect')
        return []

    def _return(self, one: ast.Return) -> Block:
        value = self._expressions.visit(one.value)
        merged = call('__select', load(LIVE), value, load(RESULT))
        return [_assign(RESULT, merged), _assign(LIVE, _constant(False))]

    def _assign(self, one: ast.Assign) -> Block:
        for target in one.targets:
            self._check_target(target)
        return [ast.Assign(one.targets, self._expressions.visit(one.value))]

    def _annassign(self, one: ast.AnnAssign) -> Block:
        return self._assign(ast.Assign([one.target], one.value)) if one.value else []

    def _augassign(self, one: ast.AugAssign) -> Block:
        """Return a plain assignment: one in place would change the array of another variable."""
        self._check_target(one.target)
        value = ast.copy_location(ast.BinOp(load(one.target.id), one.op, one.value), one)
        return [ast.Assign([one.target], self._expressions.visit(value))]

    def _for(self, one: ast.For) -> Block:
        if one.orelse:
            self._refuse(one, 'else of a loop')
        self._check_target(one.target)
        body = self._block(one.body)
        if any(map(_returns, one.body)):
            body = self._if_live(body, one)
        return [ast.For(one.target, call('__items', self._expressions.visit(one.iter)), body, [])]

    def _if(self, one: ast.If) -> Block:
        number = next(self._numbers)
        taken, before, then = (f'__{name}{number}' for name in ('taken', 'before', 'then'))
        names = sorted(assigned([one]))
        if _returns(one):
            names += [LIVE, RESULT]
        return [
            _assign(taken, call('__condition', self._expressions.visit(one.test))),
            _assign(before, _tuple(names)),
            ast.If(_is_not(taken, False), self._block(one.body) or [ast.Pass()], []),
            _assign(then, _tuple(names)),
            _unpack(names, load(before)),
            ast.If(_is_not(taken, True), self._block(one.orelse) or [ast.Pass()], []),
            _unpack(names, call('__select', load(taken), load(then), _tuple(names))),
        ]

    def _check_target(self, target: ast.expr) -> None:
        if isinstance(target, ast.Tuple):
            for one in target.elts:
                self._check_target(one)
        elif not isinstance(target, ast.Name):
            self._refuse(target, f'assignment to {ast.unparse(target)}')

    def _refuse(self, place: ast.stmt | ast.expr, what: str) -> NoReturn:
        self._expressions.refuse(place, what)

    def _placed(self, new: ast.stmt, old: ast.stmt) -> ast.stmt:
        return ast.fix_missing_locations(ast.copy_location(new, old))


def assigned(block: Sequence[ast.stmt]) -> set[str]:
    """Return the names of the variables that a block assigns."""
    nodes: Iterator[ast.AST] = (node for one in block for node in ast.walk(one))
    return {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def always_returns(block: Sequence[ast.stmt]) -> bool:
    """Return whether every way through a block ends in a ``return`` with a value."""
    return any(
        (isinstance(one, ast.Return) and one.value is not None)
        or (isinstance(one, ast.If) and always_returns(one.body) and always_returns(one.orelse))
        for one in block
    )


def _end(block: Sequence[ast.stmt]) -> int:
    """Return how many statements there are up to the one that returns in any case."""
    return next(i + 1 for i in range(len(block)) if always_returns(block[: i + 1]))


def _returns(one: ast.stmt) -> bool:
    return any(isinstance(node, ast.Return) for node in ast.walk(one))


def _constant(value: bool) -> ast.expr:
    return ast.Constant(value)


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _tuple(names: Sequence[str]) -> ast.expr:
    return ast.Tuple([load(name) for name in names], ast.Load())


def _unpack(names: Sequence[str], value: ast.expr) -> ast.stmt:
    targets = [ast.Name(name, ast.Store()) for name in names]
    return ast.Assign([ast.Tuple(targets, ast.Store())], value)


def _is_not(name: str, value: bool) -> ast.expr:
    return ast.Compare(load(name), [ast.IsNot()], [_constant(value)])
