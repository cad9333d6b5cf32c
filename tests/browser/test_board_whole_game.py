"""A real game, tap by tap on a phone: from an empty protocol to the signed sheet and its PDF."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from protocols.forms.fields import moment_text
from protocols.rules import entries as e
from protocols.rules.terms import Phase
from tests.exchange.expected import FULL_BLACK_WIN
from tests.protocols.sheets import block_of, row_of, text_in, words_of
from tests.protocols.tables import LETTERS, Table, game_now, real_game, table
from tests.protocols.world import PASSWORD

from .judging import Judge

pytestmark = pytest.mark.django_db(transaction=True)

MOST_TAPS = 100  # from the roles to the end; the best-known site takes about as many inputs, with a mouse
NOT_RAISED = 3  # the file knows only that they were not; three of ten hands are too few


@pytest.fixture
def cup(transactional_db: None) -> Table:
    """A game with its ten players, nothing written."""
    return table("F")


def in_taps(entries: list[e.Entry]) -> Iterator[tuple[e.Entry, e.Entry | None]]:
    """The entries that a judge writes herself, each with the one after it."""
    own = [entry for entry in entries if not isinstance(entry, e.Roles)]
    yield from zip(own, [*own[1:], None], strict=True)


def write(judge: Judge, entry: e.Entry, following: e.Entry | None) -> None:
    """One entry of the file, as the judge would tap it; a turn comes with the next action on the way."""
    match entry:
        case e.Turn():
            judge.next_until(entry.moment)
        case e.Nomination():
            name = judge.row(entry.seat or 0).locator(".seat__name").inner_text()
            expect(judge.prompt).to_have_text(f"Говорит №{entry.seat} {name}")
            passes_on = judge.page.locator('#pad input[name="then-moment"]').count() > 0
            if passes_on and isinstance(following, e.Turn | e.Vote):  # held, the word passes on
                judge.hold(judge.page.locator(f'#pad button[value="{entry.target}"]'))
            else:
                judge.key(entry.target)
        case e.Foul():
            assert entry.seat is not None
            judge.next_until(entry.moment._replace(step=0) if entry.moment.phase == Phase.BALLOT else entry.moment)
            judge.foul(entry.seat)
        case e.Vote():
            asked = judge.page.locator(f'#pad input[name="moment"][value="{moment_text(entry.moment)}"]')
            while asked.count() == 0:
                judge.next()
            rest = judge.page.locator("#pad .key--chosen")
            if rest.count() == 0:
                judge.key(entry.count)
                return
            expect(rest).to_have_text(str(entry.count))
            if "Записать" in judge.main.inner_text():
                judge.next()
            else:  # what is left for the last candidate is written with the next action
                expect(judge.main).to_contain_text(f"остальные, {entry.count}, — за №{entry.target}")
        case e.RaiseAll():
            judge.key(NOT_RAISED if entry.count is None else entry.count)
        case e.Shot():
            judge.next_until_asked("shot")
            judge.key(entry.target if entry.target else "miss")
        case e.Check():
            if judge.page.locator('#pad input[name="by"]').get_attribute("value") != entry.by:
                _skip_to(judge, "Проверка шерифа")
            judge.key(entry.target)
        case e.BestMove():
            if judge.page.locator('#pad[data-many="3"]').count() == 0:
                _skip_to(judge, "Лучший ход")
            judge.best_move(*entry.seats)


def _skip_to(judge: Judge, name: str) -> None:
    judge.page.get_by_label("Другие шаги").click()
    judge.page.get_by_role("link", name=name).click()
    judge.taps += 2
    expect(judge.page.locator("details.others[open]")).to_have_count(0)


def test_a_real_game_is_played_signed_and_printed(phone: Page, cup: Table) -> None:
    judge = Judge(phone, cup.game)
    expect(judge.prompt).to_have_text("Все за столом?")
    judge.roles(LETTERS, begin=True)
    judge.taps = 0
    for entry, following in in_taps(real_game("full-black-win")):
        write(judge, entry, following)

    # The end, with its reason and clause; what happened is what the file says.
    expect(judge.prompt).to_have_text("Победа чёрных: чёрных за столом не меньше, чем красных (п. 4.6.1)")
    state = judge.state
    exits = {
        seat: f"{player.left.how} {'night' if player.left.moment.is_night else 'day'} {player.left.moment.day}"
        for seat, player in state.seats.items()
        if player.left
    }
    assert exits == FULL_BLACK_WIN.exits
    assert state.set_aside == []
    assert judge.taps <= MOST_TAPS  # for 57 marks on the protocol and 40 turns

    # Extra points, the sheet, the signature.
    judge.main.click()
    phone.wait_for_url("**/finish/")
    expect(phone.locator(".verdict__words")).to_contain_text("Победа чёрных")
    phone.get_by_label("Доп. баллы: №9 Умка").fill("0,35")
    phone.get_by_label("Комментарий: №9 Умка").fill("сильная речь")
    phone.get_by_label("Ваш пароль ещё раз").fill(PASSWORD)
    phone.get_by_role("button", name="Подписать протокол").click()
    phone.wait_for_url(f"**/games/{cup.game.uuid}/")
    expect(phone.get_by_text("Протокол подписан.")).to_be_visible()
    assert game_now(cup.game).status == "signed"

    # The PDF, read back cell by cell.
    link = phone.get_by_role("link", name="Протокол (PDF)").get_attribute("href")
    answer = phone.request.get(f"{phone.url.split('/games/')[0]}{link}")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")
    words = words_of(answer.body())
    assert row_of(words, 9) == {
        "seat": "9", "nickname": "Умка", "role": "К", "foul 1": "✓", "foul 2": "", "foul 3": "", "foul 4": "",
        "points": "0", "extra": "0,35", "star": "*",
    }  # fmt: skip
    assert [row_of(words, seat)["role"] for seat in range(1, 11)] == list(LETTERS)
    assert [seat for seat in range(1, 11) if row_of(words, seat)["points"] == "1"] == [5, 7, 8]
    assert [seat for seat in range(1, 11) if row_of(words, seat)["star"] == "*"] == sorted(FULL_BLACK_WIN.exits)
    assert block_of(words, 1)[1][:3] == ["1 3", "5 5", "5 5"]
    assert block_of(words, 2)[1][:2] == ["6 (5) 10 9 8 1 7", "1 3 0 0 3 1 1"]
    assert (
        "чёрные" in text_in(words, 18, 157.8, 127, 7.4).lower()
        or "черные" in text_in(words, 18, 157.8, 127, 7.4).lower()
    )
