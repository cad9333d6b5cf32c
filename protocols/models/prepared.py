"""Reads whose SQL is made once.

Django takes several times as long to make the SQL of a query as a database at hand takes to answer it, and every tap
asks the same questions. A prepared read is built once a connection, with examples for what differs from call to call;
after that only the values given are put into their places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, QuerySet
from django.db.models.sql.compiler import SQLCompiler

from .planned import planning_once


@dataclass(slots=True)
class _Made:
    """A query ready to be asked, of one connection and so of one thread."""

    queryset: QuerySet[Any, Any]
    sql: str
    params: list[Any]
    places: list[tuple[int, int]]  # where in `params` which of the given values stands
    fields: list[Field[Any, Any]]


class Prepared:
    """A question that is asked over and over.

    `build` makes the queryset from values in the place of those that will be given; `examples` are such values, no
    two alike and like nothing else in the query, each with a field that says how it is written into the database.
    Calling it gives what the queryset would: model instances, or rows of values.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]], *examples: tuple[Field[Any, Any], Any]) -> None:
        self._build = build
        self._examples = examples

    def __call__(self, *given: Any) -> list[Any]:
        """The rows for these values, in the order of the examples."""
        queryset = self._asking(connections[DEFAULT_DB_ALIAS], given).queryset
        rows: Iterable[Any] = iter(queryset._iterable_class(queryset))  # type: ignore[call-overload]
        return list(rows)

    def as_stored(self, *given: Any) -> list[Any]:
        """The same rows as the database gives them: a bool may be 0 or 1, a moment or a decimal a text."""
        connection = connections[DEFAULT_DB_ALIAS]
        made = self._asking(connection, given)
        with connection.cursor() as cursor:
            cursor.execute(made.sql, made.params)
            rows: list[Any] = cursor.fetchall()
        return rows

    def _asking(self, connection: BaseDatabaseWrapper, given: tuple[Any, ...]) -> _Made:
        kept: dict[Prepared, _Made] = connection.__dict__.setdefault("prepared_reads", {})  # goes with the connection
        made = kept.get(self)
        if made is None:
            made = kept[self] = self._make(connection)
        for place, number in made.places:
            made.params[place] = made.fields[number].get_db_prep_value(given[number], connection)
        return made

    def _make(self, connection: BaseDatabaseWrapper) -> _Made:
        queryset = self._build(*(example for _field, example in self._examples))
        compiler: SQLCompiler = queryset.query.get_compiler(connection=connection)
        sql, found = compiler.as_sql()
        params, fields = list(found), [field for field, _example in self._examples]
        written = [field.get_db_prep_value(example, connection) for field, example in self._examples]
        places = [(place, written.index(param)) for place, param in enumerate(params) if param in written]
        if {number for _place, number in places} != set(range(len(written))):
            raise ValueError(f"not every example is in the query: {sql}")
        made = _Made(queryset, sql, params, places, fields)

        def execute(*_args: Any, **_options: Any) -> Iterable[list[Any]]:
            with planning_once(connection) as cursor:
                cursor.execute(made.sql, made.params)
                return [cursor.fetchall()]

        # What its cells are turned by follows from the columns alone.
        converters = compiler.get_converters([column for column, *_ in compiler.select[: compiler.col_count]])
        compiler.get_converters = lambda expressions: converters  # type: ignore[method-assign]
        compiler.execute_sql = execute  # type: ignore[assignment,method-assign]
        queryset.query.get_compiler = lambda *_args, **_options: compiler  # type: ignore[method-assign]
        return made
