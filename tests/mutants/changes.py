"""Every small change that may be made to a module's source, each with a name that outlives edits elsewhere.

What is changed: comparisons, and/or, not, arithmetic, numbers, truth values, codes and clauses, conditions, any/all,
min/max; what is taken away: the value of a return, a raise, a call, the change of an attribute or an item. What is not:
annotations, decorators, docstrings, asserts, and sentences that are only printed.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from types import CodeType

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
TWINS = {"any": "all", "all": "any", "min": "max", "max": "min"}
SKIPPED = {"annotation", "returns", "decorator_list", "bases", "keywords of a class", "type_params", "ctx"}
LEGIBLE = 100  # characters of a change, at most, that are shown with what stands around it


@dataclass(frozen=True)
class Mutant:
    """One change: the `at`th place of the module, the `way`th thing to put there."""

    file: str
    line: int
    function: str  # "" at the module's own level
    change: str  # "before → after"
    nth: int  # of the same change in the same function, from 1
    at: int
    way: int

    @property
    def key(self) -> str:
        """What it is called wherever its line moves to."""
        nth = f" ({self.nth})" if self.nth > 1 else ""
        return f"{self.file} · {self.function} · {self.change}{nth}"

    def rank(self, seed: int) -> str:
        """Where chance puts it; an edit of the source leaves all other mutants where they were."""
        return hashlib.sha256(f"{seed} {self.key}".encode()).hexdigest()


def mutants_of(files: Iterable[Path]) -> list[Mutant]:
    """Every mutant of the files, in the order of their names and lines."""
    return [mutant for path in sorted(files) for mutant in _mutants(path)]


def sample(mutants: Sequence[Mutant], number: int, seed: int) -> list[Mutant]:
    """That many of them by chance; the same ones for the same seed and source."""
    chosen = set(sorted(mutants, key=lambda mutant: mutant.rank(seed))[:number])
    return [mutant for mutant in mutants if mutant in chosen]


def compiled(mutant: Mutant, path: Path) -> CodeType:
    """The module with that change."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    place = list(_places(tree))[mutant.at]
    place.put(place.ways[mutant.way])
    return compile(ast.fix_missing_locations(tree), str(path), "exec")


def _mutants(path: Path) -> Iterator[Mutant]:
    seen: Counter[tuple[str, str]] = Counter()
    for at, place in enumerate(_places(ast.parse(path.read_text(encoding="utf-8")))):
        for way in range(len(place.ways)):
            change = place.shown(way)
            seen[place.function, change] += 1
            nth = seen[place.function, change]
            yield Mutant(path.name, place.line, place.function, change, nth, at, way)


@dataclass
class _Place:
    """A node that may be changed: where it hangs, what may be put there instead, and what stands around it."""

    node: ast.AST
    ways: list[ast.AST]
    above: list[ast.AST]  # the outermost first; the last holds the node
    field: str
    index: int | None
    function: str

    @property
    def line(self) -> int:
        return int(getattr(self.node, "lineno", 0) or getattr(self.above[-1], "lineno", 0))

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.above[-1], self.field, node)
        else:
            getattr(self.above[-1], self.field)[self.index] = node

    def shown(self, way: int) -> str:
        shown, before = self.node, _text(self.node)
        for around in reversed(self.above):
            if isinstance(around, ast.Module) or (isinstance(around, ast.stmt) and hasattr(around, "body")):
                break
            text = _text(around)
            if len(text) > LEGIBLE and not isinstance(shown, ast.cmpop | ast.operator | ast.boolop):
                break
            shown, before = around, text
        self.put(self.ways[way])
        after = _text(self.ways[way] if shown is self.node else shown)
        self.put(self.node)
        head = ""
        if shown is self.node and self.field in ("test", "ifs"):
            head = "while " if isinstance(self.above[-1], ast.While) else "if "
        return f"{head}{before} → {head}{after}"


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.cmpop | ast.operator | ast.boolop):
        return type(node).__name__
    return " ".join(ast.unparse(node).split())


def _places(tree: ast.Module) -> Iterator[_Place]:
    yield from _below(tree, [], "")


def _below(node: ast.AST, above: list[ast.AST], function: str) -> Iterator[_Place]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        function = f"{function}.{node.name}" if function else node.name
    for field, value in ast.iter_fields(node):
        if field in SKIPPED or (isinstance(node, ast.ClassDef) and field == "keywords"):
            continue
        many = isinstance(value, list)
        for index, child in enumerate(value if many else [value]):
            if not isinstance(child, ast.AST) or _is_left_alone(child):
                continue
            inside = any(isinstance(one, ast.FunctionDef) for one in (*above, node))
            ways = list(_ways(child, node, field, inside))
            if ways:
                yield _Place(child, ways, [*above, node], field, index if many else None, function)
            yield from _below(child, [*above, node], function)


def _is_left_alone(node: ast.AST) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Assert():
            return True
        case ast.Expr(value=ast.Constant(value=str())):
            return True  # a docstring
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
    return False


def _ways(node: ast.AST, parent: ast.AST, field: str, inside: bool) -> Iterator[ast.AST]:
    """What may stand in the node's place."""
    if (field == "test" and isinstance(parent, ast.If | ast.IfExp)) or field == "ifs":
        yield ast.Constant(True)
        yield ast.Constant(False)
    elif field == "test" and isinstance(parent, ast.While):
        yield ast.Constant(False)
    match node:
        case ast.cmpop():
            for other in COMPARISONS[type(node)]:
                yield other()
        case ast.And():
            yield ast.Or()
        case ast.Or():
            yield ast.And()
        case ast.operator() if type(node) in ARITHMETIC:
            yield ARITHMETIC[type(node)]()
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.Constant():
            yield from _constants(node, parent)
        case ast.Name(id=name) if name in TWINS and isinstance(parent, ast.Call):
            yield ast.Name(TWINS[name], ast.Load())
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield ast.Return(ast.Constant(None))
        case ast.Raise() | ast.Continue() | ast.Break() | ast.Delete() | ast.AugAssign():
            yield ast.Pass()
        case ast.Expr(value=ast.Call()) if inside:
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) if inside:
            yield ast.Pass()


def _constants(node: ast.Constant, parent: ast.AST) -> Iterator[ast.AST]:
    match node.value:
        case bool(value):
            yield ast.Constant(not value)
        case int(value):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case str(value) if isinstance(parent, ast.Call) and getattr(parent.func, "id", "") in ("D", "Decimal"):
            yield ast.Constant(str(Decimal(value) + 1))
        case str(value) if not any(character.isspace() for character in value):
            yield ast.Constant(f"{value}*")
