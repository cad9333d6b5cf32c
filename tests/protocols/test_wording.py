"""Every code that the core can produce has its words, naming seat, nickname and clause."""

import ast
import re
from decimal import Decimal
from pathlib import Path

import pytest

from protocols import wording
from protocols.rules import entries as e
from protocols.rules.articles import ARTICLES, CITATIONS
from protocols.rules.outcome import Problem
from protocols.rules.refusal import Refusal
from protocols.rules.state import Contradiction, Exit, Notice, Outcome
from protocols.rules.terms import SETUP, HowLeft, Moment, Penalty, Phase, Result, Role, RulingAbout, Team
from protocols.wording.ends import CONTRADICTIONS, PROBLEMS, REASONS
from protocols.wording.entries import KIND_WORDS
from protocols.wording.notices import NOTICES
from protocols.wording.refusals import REFUSALS

PROTOCOLS = Path(__file__).resolve().parents[2] / "protocols"
CORE = PROTOCOLS / "rules"
SOURCES = [path for folder in ("rules", "services", "forms") for path in sorted((PROTOCOLS / folder).glob("*.py"))]
NICKNAMES = ["Астра", "Барс", "Вега", "Дельта", "Ёлка", "Жук", "Зенит", "Ирис", "Йод", "Клён"]
NAMES = dict(enumerate(NICKNAMES, start=1))
WHERE_THE_CODE_STANDS = {  # function → position of the code among its arguments
    "_no": 1,
    "_no_vote": None,
    "Refusal": 0,
    "refusal": 0,
    "tell": 0,
    "Notice": 0,
    "contradict": 0,
    "Contradiction": 0,
    "Problem": 0,
}
SAMPLES: dict[str, object] = {
    "seat": 4, "by": 2, "target": 5, "speaker": 1, "next": 6, "agreed": 3, "seats": (1, 3, 8), "how": HowLeft.SHOT,
    "day": 2, "night": 1, "ballot": 2, "votes": 3, "left": 4, "living": 9, "named": 2, "count": 5, "clause": "6.6.1",
    "moment": Moment(2, Phase.SPEECHES, 0, 3), "team": Team.RED, "red": 5, "black": 3, "sheriff": 1, "don": 1,
    "result": Result.RED, "declared": Result.BLACK, "derived": Result.RED, "revision": 12, "points": Decimal("0.7"),
    "allowed": (Decimal("0.5"), Decimal(1)), "least": Decimal(-1), "most": Decimal(1), "step": Decimal("0.05"),
    "sum": Decimal("2.5"), "text": "спор", "seconds": 30, "needed": 5, "kind": "vote",
    "late": "2:30", "minutes": 10,
    "why": Refusal("single_nominee", "§3", {"seat": 4}),
}  # fmt: skip
CHECKS = ("already_checked", "checker_has_left", "checker_had_left")


def codes_of(*functions: str) -> dict[str, set[str]]:
    """Codes that the core and the services hand to these functions → the names of the parameters given with them."""
    found: dict[str, set[str]] = {}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name not in functions:
                continue
            place = WHERE_THE_CODE_STANDS[name]
            assert place is not None
            for code in _strings(node.args[place]):
                found.setdefault(code, set()).update(word.arg for word in node.keywords if word.arg)
    return found


def _strings(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return [*_strings(node.body), *_strings(node.orelse)]
    return []


def params_for(words: object, code: str) -> dict[str, object]:
    """Sample parameters: everything the core may give, those for a check with its role."""
    params = dict(SAMPLES)
    if code in CHECKS:
        params["by"] = Role.DON
    return params


REFUSAL_CODES = codes_of("_no", "Refusal", "refusal")
NOTICE_CODES = codes_of("tell", "Notice") | {"removed_fouls": set(), "removed_disqualified": set()}
CONTRADICTION_CODES = codes_of("contradict", "Contradiction")


def test_the_codes_are_found_in_the_core() -> None:
    assert len(REFUSAL_CODES) > 60
    assert len(NOTICE_CODES) > 15
    assert len(CONTRADICTION_CODES) > 5


@pytest.mark.parametrize("code", sorted(REFUSAL_CODES))
def test_every_refusal_has_words_with_its_clause(code: str) -> None:
    words = wording.refusal_words(Refusal(code, "A 7.1", params_for(REFUSALS[code], code)), NAMES)
    assert words.endswith("(п. 7.1)")
    assert "%(" not in words
    assert re.search("[а-яё]", words)


@pytest.mark.parametrize("code", sorted(NOTICE_CODES))
def test_every_notice_has_words_with_its_clause(code: str) -> None:
    words = wording.notice_words(Notice(code, "B-S1", SETUP, 1, params_for(NOTICES[code], code)), NAMES)
    assert words.endswith("(п. B-S1)")
    assert "%(" not in words


@pytest.mark.parametrize("code", sorted(CONTRADICTION_CODES))
def test_every_contradiction_has_words_and_asks_for_a_ruling(code: str) -> None:
    words = wording.contradiction_words(Contradiction(code, "§5", 1, params_for("", code)), NAMES)
    assert words.endswith("(уточнение §5). Нужно решение судьи")


@pytest.mark.parametrize("code", sorted({*codes_of("Problem"), *CONTRADICTION_CODES}))
def test_every_problem_has_words(code: str) -> None:
    words = wording.problem_words(Problem(code, "A 9.7", params_for("", code)), NAMES)
    assert "%(" not in words
    assert "п. 9.7" in words or code == "set_aside"


def test_no_words_are_kept_for_codes_that_are_gone() -> None:
    variants = {
        "vote_cancelled_ruling", "vote_decided_many", "vote_decided_none", "not_own_minute_nobody",
        "already_nominated_unknown", "already_shot_miss", "shots_disagree_miss", "shots_agree",
    }  # fmt: skip
    assert set(REFUSALS) - variants - set(REFUSAL_CODES) == set()
    assert set(NOTICES) - set(NOTICE_CODES) == set()
    assert set(CONTRADICTIONS) == set(CONTRADICTION_CODES)
    assert set(PROBLEMS) == set(codes_of("Problem"))


@pytest.mark.parametrize("reason", sorted(REASONS))
def test_every_outcome_tells_result_reason_and_clause(reason: str) -> None:
    words = wording.outcome_words(Outcome(Result.BLACK, reason, "A 4.6.1", SETUP, 1))
    assert words == f"Победа чёрных: {REASONS[reason]} (п. 4.6.1)"


def test_every_reason_of_the_core_has_words() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in CORE.glob("*.py"))
    assert [reason for reason in REASONS if f'"{reason}"' not in text] == []


def test_every_kind_has_a_word() -> None:
    assert set(KIND_WORDS) == set(e.KINDS)


@pytest.mark.parametrize("rule", sorted(CITATIONS))
def test_every_clause_is_cited_in_words(rule: str) -> None:
    for clause in CITATIONS[rule]:
        assert re.fullmatch(r"п\. (\d|B-).*|уточнение §\d|практика ФИИМ", wording.clause_words(clause))


def test_the_sentence_of_a_clause_can_be_read() -> None:
    assert wording.clauses_words("6.6.1") == ARTICLES["A 6.6.1"]
    assert wording.clauses_words("§2") == ""


def test_a_nomination_refused_says_who_did_it_and_who_may_be_nominated() -> None:
    refusal = Refusal("already_nominated", "§2", {"seat": 4, "by": 2, "seats": (1, 3, 8)})
    assert wording.refusal_words(refusal, NAMES) == (
        "№4 Дельта уже выставлен игроком №2 Барс. Можно выставить: 1, 3, 8 (уточнение §2)"
    )


def test_a_percent_sign_in_a_nickname_is_only_a_nickname() -> None:
    refusal = Refusal("has_spoken", "§2", {"seat": 4})
    assert wording.refusal_words(refusal, {4: "100%(seat)s"}) == (
        "№4 100%(seat)s сегодня уже говорил свою минуту (уточнение §2)"
    )


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (e.Turn(moment=Moment(2, Phase.SPEECHES, 0, 1), seat=4), "Слово: №4 Дельта"),
        (e.Turn(moment=Moment(0, Phase.NIGHT)), "Начало игры: чёрные знакомятся"),
        (e.Turn(moment=Moment(2, Phase.NIGHT)), "Наступает ночь 2"),
        (e.Turn(moment=Moment(2, Phase.BALLOT)), "Начато: голосование"),
        (e.Foul(moment=SETUP, seat=4, clause="6.6.1"), "Фол: №4 Дельта (п. 6.6.1)"),
        (e.Foul(moment=SETUP, seat=4, penalty=Penalty.WARNING), "Устное предупреждение: №4 Дельта"),
        (
            e.Foul(moment=SETUP, seat=None, penalty=Penalty.TEAM_DEFEAT, clause="6.8.4", team=Team.RED),
            "Присуждение поражения: красные (п. 6.8.4)",
        ),
        (e.FoulClause(moment=SETUP, of=7, clause="6.6.2"), "Причина записи 7: п. 6.6.2"),
        (e.Nomination(moment=SETUP, seat=2, target=4), "№2 Барс выставляет: №4 Дельта"),
        (e.Nomination(moment=SETUP, seat=None, target=4), "Выставлен: №4 Дельта"),
        (e.Withdrawal(moment=SETUP, seat=2), "№2 Барс снимает кандидатуру"),
        (e.Vote(moment=SETUP, target=4, count=3, voters=(1, 2, 9)), "Голоса за №4 Дельта: 3 (1, 2, 9)"),
        (e.RaiseAll(moment=SETUP, count=6), "За подъём: 6"),
        (e.RaiseAll(moment=SETUP, raised=False), "Не подняты, число не записано"),
        (e.Shot(moment=SETUP, target=None, shots=((2, 4), (3, 5))), "Промах (2 стрелка)"),
        (e.Check(moment=SETUP, by=Role.SHERIFF, target=4), "Проверка шерифа: №4 Дельта"),
        (e.BestMove(moment=SETUP, seats=(3, 5, 6)), "Лучший ход: 3, 5, 6"),
        (e.ExtraPoints(moment=SETUP, seat=4, points=500, text="за речь"), "Доп. баллы, №4 Дельта: +0,5. за речь"),
        (e.SpeechMark(moment=SETUP, seat=4, points=4500), "За речи, №4 Дельта: 4,5"),
        (e.Roles(moment=SETUP, roles=(Role.RED,) * 10), "Роли записаны"),
        (e.SeatCorrection(moment=SETUP, seat=2, target=4), "Поменялись местами: №2 Барс, №4 Дельта"),
        (
            e.GameOver(moment=SETUP, result=Result.REPLAY, text="Погас свет"),
            "Конец игры: игра переигрывается. Погас свет",
        ),
        (
            e.Ruling(moment=SETUP, about=RulingAbout.VOTE_HELD, text="Фол отменён"),
            "Решение судьи: голосование проводится. Фол отменён",
        ),
        (e.Strike(moment=SETUP, of=7), "Зачёркнута запись 7"),
    ],
)
def test_a_line_of_the_log(entry: e.Entry, words: str) -> None:
    assert wording.entry_words(entry, NAMES) == words


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (e.Foul(moment=SETUP, seat=4), "фол №4"),
        (e.Turn(moment=Moment(1, Phase.SPEECHES, 0, 1), seat=4), "слово №4"),
        (e.Vote(moment=SETUP, target=4, count=3), "3 голоса за №4"),
        (e.Shot(moment=SETUP), "промах"),
        (e.Roles(moment=SETUP, roles=()), "роли"),
    ],
)
def test_the_undo_button_names_what_it_undoes(entry: e.Entry, words: str) -> None:
    assert wording.short_words(entry) == words


def test_how_and_when_a_player_left() -> None:
    left = Exit(HowLeft.FOULS, Moment(2, Phase.SPEECHES), "A 6.5", 9)
    assert wording.how_left_words(left) == "удалён, 4 фола, день 2"
    assert wording.how_left_words(Exit(HowLeft.SHOT, Moment(1, Phase.NIGHT), "§4", 9)) == "отстрел, ночь 1"


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (SETUP, "До игры"),
        (Moment(0, Phase.NIGHT), "Ночь 0 · знакомство"),
        (Moment(2, Phase.BALLOT, 2, 1), "День 2 · переголосование 2"),
        (Moment(3, Phase.DON), "Ночь 3 · дон"),
    ],
)
def test_a_moment_in_words(moment: Moment, words: str) -> None:
    assert wording.moment_words(moment) == words


@pytest.mark.parametrize(("points", "words"), [("0.5", "0,5"), ("-1", "−1"), ("3.000", "3"), ("0", "0")])
def test_points_as_the_form_prints_them(points: str, words: str) -> None:
    assert wording.points_words(Decimal(points)) == words
