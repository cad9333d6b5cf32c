"""Runs tests against one mutant after another, each in a process of its own that has never seen the module unchanged.

The parent imports what takes long and has nothing to do with the package; a child is forked off it, finds the changed
code in the place of the module's, and runs pytest until the first failure. No file of the working copy is touched.
"""

from __future__ import annotations

import atexit
import importlib
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

import pytest

from .changes import Mutant, compiled

FIRST = ("pytest_django.plugin", "hypothesis", "django.test", "django.db.models", "django.template", "gettext")
OPTIONS = ("-x", "-q", "--tb=short", "-p", "no:cacheprovider", "-o", "addopts=")
OURS = 70  # the exit code of a child that never came to run pytest
WALL = 12  # times the seconds of processor; a busy machine is no infinite loop


class Outcome(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    OUT_OF_TIME = "out of time"  # killed, too: it never ends
    SURVIVED = "survived"


@dataclass(frozen=True)
class Run:
    """What pytest is given, and the modules that it may kill mutants of: those named, or all."""

    arguments: tuple[str, ...]
    modules: frozenset[str] = frozenset()

    def is_for(self, mutant: Mutant | None) -> bool:
        """Whether it may kill the mutant; without one every run has to pass."""
        return mutant is None or not self.modules or mutant.file in self.modules


@dataclass(frozen=True)
class Target:
    """The package whose modules are changed, and the runs of tests that may kill them, one after another."""

    package: str
    folder: Path
    runs: tuple[Run, ...]

    @property
    def files(self) -> list[Path]:
        """Its modules."""
        return sorted(self.folder.glob("*.py"))


class Broken(Exception):
    """The tests can't be run, or fail without any change; what they print."""


class _Changed(SourceFileLoader):
    """Loads one module from changed code."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self.code = code

    def get_code(self, fullname: str) -> CodeType:
        """The changed code, never what is cached on disk."""
        return self.code


class _Finder(MetaPathFinder):
    """Finds the changed module before anybody finds the one on disk."""

    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        self.name, self.path, self.code = name, path, code

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module's, if it is the one; otherwise somebody else's business."""
        if fullname != self.name:
            return None
        return spec_from_file_location(fullname, self.path, loader=_Changed(fullname, str(self.path), self.code))


def baseline(target: Target) -> float:
    """How many seconds of processor the tests take without a change. Raises Broken unless they pass."""
    _prepare(target)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        began = os.times()
        pid = _forked(target, None, 600, Path(folder))
        _, status = os.waitpid(pid, 0)
        ended = os.times()
        if status:
            raise Broken(_read(Path(folder) / f"{pid}.log"))
    return ended.children_user + ended.children_system - began.children_user - began.children_system


def outcomes(
    target: Target, mutants: Sequence[Mutant], *, seconds: int, processes: int = 2, show: bool = False
) -> Iterator[tuple[Mutant, Outcome]]:
    """What becomes of each mutant, as soon as it is known; `seconds` of processor, at most, are given to each."""
    _prepare(target)
    waiting, running = list(reversed(mutants)), dict[int, Mutant]()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        while waiting or running:
            while waiting and len(running) < processes:
                mutant = waiting.pop()
                running[_forked(target, mutant, seconds, Path(folder))] = mutant
            pid, status = os.waitpid(-1, 0)
            mutant, log = running.pop(pid), Path(folder) / f"{pid}.log"
            if show:
                print(_read(log))
            yield mutant, _outcome(status, log)


def _read(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-6000:] if log.exists() else ""


def _outcome(status: int, log: Path) -> Outcome:
    if os.WIFSIGNALED(status):
        timed = os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGXCPU, signal.SIGKILL)
        return Outcome.OUT_OF_TIME if timed else Outcome.KILLED
    code = os.waitstatus_to_exitcode(status)
    if code in (OURS, pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise Broken(_read(log))
    return Outcome.SURVIVED if code == pytest.ExitCode.OK else Outcome.KILLED


def _prepare(target: Target) -> None:
    """Imports what children would import anyway; the package itself must not be among it."""
    for name in FIRST:
        with suppress(ImportError):
            importlib.import_module(name)
    known = [name for name in sys.modules if f"{name}.".startswith(f"{target.package}.")]
    if known:
        raise Broken(f"{known[0]} is imported already, so that a change of it would not be seen.")


def _forked(target: Target, mutant: Mutant | None, seconds: int, folder: Path) -> int:
    """The number of a new process that runs the tests against the mutant and ends with pytest's exit code."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    code = OURS
    try:
        atexit._clear()  # what the parent will do at its end is not the child's business
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        signal.alarm(seconds * WALL)
        log = os.open(folder / f"{os.getpid()}.log", os.O_WRONLY | os.O_CREAT)
        os.dup2(log, 1)
        os.dup2(log, 2)
        tempfile.tempdir = str(folder)  # what a process that runs out of time leaves behind goes with the folder
        sys.dont_write_bytecode = True
        if mutant is not None:
            path = target.folder / mutant.file
            name = target.package if path.stem == "__init__" else f"{target.package}.{path.stem}"
            sys.meta_path.insert(0, _Finder(name, path, compiled(mutant, path)))
        for run in target.runs:
            code = pytest.main([*OPTIONS, *run.arguments]) if run.is_for(mutant) else pytest.ExitCode.OK
            if code:
                break
        atexit._run_exitfuncs()
        sys.stdout.flush()
    finally:
        os._exit(code)
