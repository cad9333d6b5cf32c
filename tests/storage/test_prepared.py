"""Reads whose SQL is made once give what the queryset gives, whatever was asked before."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections
from django.db.models import BigIntegerField, CharField
from pytest_django import DjangoAssertNumQueries

from protocols.models.prepared import Prepared

pytestmark = [pytest.mark.database, pytest.mark.django_db]

named = Prepared(
    lambda name, least: User.objects.filter(username__gte=name, pk__gt=least).order_by("pk"),
    (CharField(), "nobody is called so"),
    (BigIntegerField(), 1_000_001),
)


def test_each_call_is_one_statement_with_its_own_values(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    first, second = User.objects.create_user("anna"), User.objects.create_user("boris")
    named("a", 0)
    with django_assert_num_queries(3):
        found = [named("b", 0), named("a", first.pk), named("c", 0)]
    assert found == [[second], [second], []]


def test_what_was_changed_meanwhile_is_read_anew() -> None:
    user = User.objects.create_user("anna")
    before = named("a", 0)[0]
    User.objects.filter(pk=user.pk).update(last_name="Соколова")
    assert (before.last_name, named("a", 0)[0].last_name) == ("", "Соколова")


def test_rows_of_values_come_as_the_queryset_gives_them() -> None:
    user = User.objects.create_user("anna")
    rows = Prepared(lambda pk: User.objects.filter(pk=pk).values_list("username", "is_active", "date_joined"),
                    (BigIntegerField(), 1_000_001))  # fmt: skip
    assert rows(user.pk) == [("anna", True, user.date_joined)]


def test_rows_as_stored_are_past_what_fields_make_of_them(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    user = User.objects.create_user("anna")
    rows = Prepared(lambda pk: User.objects.filter(pk=pk).values_list("username", "is_active"),
                    (BigIntegerField(), 1_000_001))  # fmt: skip
    with django_assert_num_queries(2):
        found = [list(map(tuple, rows.as_stored(pk))) for pk in (user.pk, user.pk + 1)]
    assert found == [[("anna", 1 if connection.vendor == "sqlite" else True)], []]


def test_a_value_that_the_query_does_not_hold_is_an_error() -> None:
    careless = Prepared(lambda pk: User.objects.filter(username="anna"), (BigIntegerField(), 1_000_001))
    with pytest.raises(ValueError, match="not every example is in the query"):
        careless(1)


def test_each_thread_asks_with_its_own_connection() -> None:
    kept: list[Any] = []

    def ask() -> None:
        try:
            named("a", 0)
            kept.append(vars(connections["default"])["prepared_reads"][named])
        finally:
            connection.close()

    named("a", 0)
    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
        thread.join()
    assert len({id(made) for made in [*kept, vars(connections["default"])["prepared_reads"][named]]}) == 3
