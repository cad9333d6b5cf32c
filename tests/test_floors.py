"""Who may import whom: rules → models → services, selectors, access → web → site."""

import ast
import graphlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("protocols", "scoring", "mafia_site")
LONGEST = 450  # lines

# Floors by the second part of a module's name; whatever is not named here is web.
PURE, STORED, SERVED, WEB, SITE = range(5)
FLOORS = {
    "protocols": {
        "rules": PURE,
        "replaying": PURE,
        "seating": PURE,
        "look_alikes": PURE,
        "rehearsal": SERVED,
        "exchange": PURE,
        "models": STORED,
        "migrations": STORED,
        "services": SERVED,
        "selectors": SERVED,
        "access": SERVED,
        "hiding": SERVED,
        "protest_selectors": SERVED,
        "member_selectors": SERVED,
        "audit_selectors": SERVED,
        "schedule": SERVED,
    },
    "scoring": {
        "ratings": PURE,
        "tiebreaks": PURE,
        "standings": PURE,
        "nominations": PURE,
        "cuts": PURE,
        "teams": PURE,
        "season_ratings": PURE,
        "models": STORED,
        "cut_models": STORED,
        "team_models": STORED,
        "penalty_models": STORED,
        "penalty_services": SERVED,
        "penalty_archives": SERVED,
        "discipline_models": STORED,
        "discipline_selectors": SERVED,
        "discipline_services": SERVED,
        "discipline_archives": SERVED,
        "discipline": SERVED,
        "season_models": STORED,
        "migrations": STORED,
        "services": SERVED,
        "as_of": SERVED,
        "release": SERVED,
        "cut_services": SERVED,
        "team_services": SERVED,
        "team_selectors": SERVED,
        "team_log": SERVED,
        "team_paste": SERVED,
        "roster_teams": SERVED,
        "merging": SERVED,
        "erasing": SERVED,
        "registration": SERVED,
        "team_archives": SERVED,
        "cut_selectors": SERVED,
        "cut_log": SERVED,
        "final_services": SERVED,
        "running_archives": SERVED,
        "protest_effect": SERVED,
        "queue_selectors": SERVED,
        "season_access": SERVED,
        "season_sums": SERVED,
        "season_selectors": SERVED,
        "season_services": SERVED,
        "people": SERVED,
        "announced": SERVED,
        "cut_archives": SERVED,
        "protest_archives": SERVED,
        "archives": SERVED,
        "rehearsing": SERVED,
        "course_archives": SERVED,
        "selectors": SERVED,
        "access": SERVED,
    },
}


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_name(path): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}


def floor_of(module: str) -> int:
    """The floor that a module of ours stands on."""
    package, *rest = module.split(".")
    if package == "mafia_site":
        return SITE
    if not rest:  # the package itself, empty
        return PURE
    return FLOORS[package].get(rest[0], WEB)


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


def imports_of(module: str, *, at_run_time: bool = False) -> set[str]:
    """Everything a module imports, by its full name; `at_run_time`: only what loading it loads."""
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        if at_run_time and (_is_type_checking(node) or isinstance(node, ast.FunctionDef)):
            return
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                found.add(whole if whole in MODULES else base)
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(path.read_text(encoding="utf-8")))
    return found


def ours(names: set[str]) -> set[str]:
    """Those of the names that are modules of this project."""
    return {name for name in names if name.split(".")[0] in PACKAGES}


def test_a_module_imports_from_its_own_floor_or_below() -> None:
    breaches = [
        f"{module} (floor {floor_of(module)}) imports {name} (floor {floor_of(name)})"
        for module in MODULES
        for name in sorted(ours(imports_of(module)))
        if floor_of(name) > floor_of(module)
    ]
    assert breaches == []


def test_protocols_never_import_scoring() -> None:
    breaches = [
        f"{module} imports {name}"
        for module in MODULES
        if module.startswith("protocols")
        for name in sorted(imports_of(module))
        if name.split(".")[0] == "scoring"
    ]
    assert breaches == []


@pytest.mark.parametrize("module", [name for name in MODULES if floor_of(name) == PURE])
def test_the_pure_floor_needs_nothing_but_the_standard_library(module: str) -> None:
    needed = {name.split(".")[0] for name in imports_of(module)}
    assert needed - set(sys.stdlib_module_names) <= {"protocols", "scoring"}
    assert {name for name in ours(imports_of(module)) if floor_of(name) != PURE} == set()
    # Neither clock nor chance: a replay gives the same state on every machine.
    assert needed & {"random", "secrets", "time", "os", "locale", "gettext"} == set()


def test_modules_import_each_other_in_no_circle() -> None:
    graph: dict[str, set[str]] = {}
    for module in MODULES:
        needed = ours(imports_of(module, at_run_time=True)) & set(MODULES)
        # A package that collects its own rooms, and a room that needs its package, are no circle of rooms.
        graph[module] = {name for name in needed if not module.startswith(f"{name}.") and name != module}
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError and names the circle


@pytest.mark.parametrize("suffix", ["py", "html", "css", "js"])
def test_no_file_has_grown_too_long(suffix: str) -> None:
    folders = [*PACKAGES, "tests", "templates", "static"]
    long = {
        str(path.relative_to(ROOT)): lines
        for folder in folders
        for path in (ROOT / folder).rglob(f"*.{suffix}")
        if not {"vendor", "migrations"} & set(path.parts)
        and (lines := len(path.read_text(encoding="utf-8").splitlines())) >= LONGEST
    }
    assert long == {}
