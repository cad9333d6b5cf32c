"""The page of rules: every clause that a protocol may cite has its text and its address."""

import re

import pytest
from django.test import Client

from protocols.clauses import anchor_of, sources
from protocols.regulation_words import regulation_parts
from protocols.rules.articles import ARTICLES, CITATIONS
from protocols.rules.regulation import PENALTY_CLAUSES, PRESETS


@pytest.mark.django_db
def test_every_clause_that_may_be_cited_has_its_address(client: Client) -> None:
    cited = {clause for clauses in CITATIONS.values() for clause in clauses}
    cited |= {f"A {clause}" for clauses in PENALTY_CLAUSES.values() for clause in clauses}
    response = client.get("/rules/")
    assert response.status_code == 200
    addresses = re.findall(r'class="clauses__item" id="([^"]+)"', response.content.decode())
    assert len(addresses) == len(set(addresses))
    assert {anchor_of(clause) for clause in cited | set(ARTICLES)} - set(addresses) == set()


def test_clauses_stand_in_the_order_of_print() -> None:
    edition_a = sources()[0]
    numbers = [clause.number for chapter in edition_a.chapters for clause in chapter.clauses]
    assert numbers == sorted(numbers, key=lambda number: [int(part) for part in number.split(".")])
    assert (numbers[0], numbers[-1]) == ("4.6.1", "9.9")


def test_the_regulations_are_told_with_their_own_numbers() -> None:
    told = {line.name: line.values for part in regulation_parts() for line in part.lines}
    assert told["Победа чёрных"] == ("4", "4", "1")
    assert told["Удаление с игры"] == ("−1", "−1", "−0,5")
    assert told["Лучший ход шерифа, за 3 · 2 чёрных"] == ("0,5 · 0", "0,5 · 0", "0,4 · 0,25")
    assert told["Доп. баллы игрока"] == ("0,5 или 1", "0,5 или 1", "от −1 до 1 с шагом 0,05")
    assert {len(values) for values in told.values()} == {len(PRESETS)}


@pytest.mark.django_db
def test_the_rules_are_read_without_a_query(client: Client, django_assert_num_queries: object) -> None:
    with django_assert_num_queries(0):  # type: ignore[operator]
        client.get("/rules/")
