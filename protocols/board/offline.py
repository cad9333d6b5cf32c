"""The words of a board that draws itself without a network: the very ones that the board has with it.

Placeholders keep their names; the script fills them.
"""

from __future__ import annotations

import json
from functools import cache

from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from ..rules.regulation import EDITION_A
from ..rules.state import GameState
from ..rules.terms import Moment, Penalty, Phase
from ..wording import ballot_words, moment_words
from ..wording.entries import KIND_WORDS
from .rows import Reason, reasons_of


def offline_words() -> str:
    """Every word as JSON, by name."""
    return _offline_words(get_language())


@cache
def _offline_words(language: str | None) -> str:
    words = {
        **_saved_words(), **_step_words(), **_panel_words(), **_entry_words(), **_row_words(),
        "kinds": {kind: str(words) for kind, words in KIND_WORDS.items()},
        "phases": {int(phase): moment_words(Moment(1, phase)).partition(" · ")[2] for phase in _NAMED},
        "ballots": [ballot_words(0), ballot_words(1), _("revote %(number)s")],
        "reasons": [[reason.clause, reason.short, reason.words] for reason in _foul_reasons()],
    }  # fmt: skip
    return json.dumps(words, ensure_ascii=False, separators=(",", ":"))


_NAMED = [phase for phase in Phase if phase not in (Phase.SETUP, Phase.AFTER, Phase.BALLOT)]


def _foul_reasons() -> tuple[Reason, ...]:
    return reasons_of(GameState(EDITION_A), Penalty.FOUL)  # the clauses are the same in every edition


COUNTED = (1, 2, 5)  # as many forms as a word has in Russian


def _saved_words() -> dict[str, object]:
    return {
        "saving": _("is being written…"),
        "waits": [ngettext("%(n)s waits for the network", "%(n)s wait for the network", n) for n in COUNTED],
        "unsaved": [ngettext("%(n)s not written", "%(n)s not written", n) for n in COUNTED],
        "login": _("a login is needed"),
        "login_why": _("Your login has expired. What you tapped is kept on this device and is sent after you log in."),
        "login_do": _("Log in"),
        "other_user": _("Somebody else is logged in. What you tapped is kept on this device for your next login."),
        "denied": _("This game is not yours to write any more. What you tapped is kept on this device."),
        "offline": _("No network: entries wait on this device, what follows from them will be checked"),
        "slow": _("The answer takes long: entries wait on this device, what follows from them will be checked"),
        "checked": _("will be checked"),
        "needs_network": _("This needs the network."),
        "needs_hold": _("Without a network nobody can say what would follow: hold the button to write it."),
        "cannot": _("By what is written here this can’t be. Take back what is wrong first."),
        "needs_three": _("The best move is three seats."),
        "undo_written": _("undone without a network: what stands now will be checked"),
        "tray": _("Not written"),
        "tray_why": _("These entries were made on this device and did not get into the record."),
        "write": _("Write it now"),
        "discard": _("Discard"),
        "close": _("Close"),
        "pending": _("waits for the network"),
        "taken_back": _("taken back, never written"),
        "take_back": _("Take back"),
        "refused": _("The rules refuse it"),
        "changed": _("Somebody else has written: the board is fresh"),
    }


def _step_words() -> dict[str, object]:
    return {
        "step_begin": _("Begin: the blacks meet"),
        "step_silent": _("%(seat)s, no word"),
        "step_speech": _("Word to %(seat)s"),
        "step_vote": _("To the vote"),
        "step_raise_all": _("Raise-all question"),
        "step_last_words": _("Last words of %(seat)s"),
        "step_night": _("Night %(day)s falls"),
        "step_shot": _("The shot"),
        "step_don": _("Don’s check"),
        "step_sheriff": _("Sheriff’s check"),
        "step_best_move": _("Best move"),
        "step_finish": _("Finish the protocol"),
    }


def _panel_words() -> dict[str, object]:
    return {
        "seconds": _("%(seconds)s seconds"),
        "order": _("in the order: %(seats)s"),
        "no_word": _("%(seat)s: no word"),
        "speaks": _("%(seat)s speaks"),
        "has_nominated": _("has nominated No. %(target)s"),
        "nominates": _("whom does the player nominate?"),
        "last_words": _("Last words: %(seat)s"),
        "has_left": _("%(seat)s has left the table"),
        "nobody_leaves": _("Nobody leaves"),
        "leaving": _("Leaving: %(seats)s"),
        "spoken": _("Everyone has spoken"),
        "at_table": _("Everyone at the table?"),
        "begin": _("Begin the game"),
        "night_zero": _("night 0: the blacks meet"),
        "tie": _("A tie: %(seats)s"),
        "tie_speak": _("they speak in turn, then the revote"),
        "before_revote": _("before the revote"),
        "for": _("For %(seat)s"),
        "then_revote": _("then the revote, hands for No. %(seat)s"),
        "hands_left": _("%(ballot)s · %(left)s of %(living)s hands left"),
        "write_count": _("Write: %(count)s"),
        "rest_for": _("the rest for No. %(seat)s"),
        "how_many": _("How many hands?"),
        "for_number": _("for No. %(seat)s"),
        "needed": _("for: %(needed)s of %(living)s — all leave"),
        "all_leaving": _("for all leaving"),
        "all_leave": _("All leave? %(seats)s"),
        "whom_shoot": _("Whom do they shoot?"),
        "or_miss": _("or a miss"),
        "miss": _("Miss"),
        "whom_don": _("Whom does the don check?"),
        "whom_sheriff": _("Whom does the sheriff check?"),
        "best_move": _("Best move of %(seat)s"),
        "three_black": _("three whom the player thinks black"),
        "write_move": _("Write"),
        "move_note": _("the best move, three seats"),
        "over": _("The game seems to be over"),
        "others": _("Other steps"),
        "tallies": _("Tallies"),
        "undo": _("Undo"),
        "time": _("Time"),
        "pause": _("Pause"),
        "more": _("+5 seconds"),
        "less": _("−5 seconds"),
        "ending": _("ten seconds left"),
        "time_is_up": _("time is up"),
        "foul_for_what": _("Foul %(n)s: %(seat)s. For what?"),
        "no_reason": _("Without a reason"),
        "hold": _("hold to see"),
        "day": _("Day %(day)s"),
        "night": _("Night %(day)s"),
        "acquaintance": _("Night 0 · acquaintance"),
        "is_over": _("Over"),
        **_night_words(),
    }


def _night_words() -> dict[str, object]:
    return {
        "say_shot": _("Night falls. The mafia shoots: number 1, number 2 … number 10."),
        "say_don": _("The don wakes up and looks for the sheriff."),
        "say_don_sleeps": _("The don falls asleep."),
        "say_mafia_sleeps": _("The mafia falls asleep."),
        "say_sheriff": _("The sheriff wakes up and checks one player."),
        "say_agree": _("The mafia wakes up and agrees without a word. One minute."),
        "say_look": _("The mafia falls asleep. The sheriff wakes up, looks at the city and falls asleep."),
        "say_morning": _("Good morning, city."),
        "say_sheriff_sleeps": _("The sheriff falls asleep."),
        "say_best_move": _("Your best move?"),
        "say_nobody": _("Good morning, city. Nobody was killed this night."),
        "say_killed": _("Good morning, city. Killed this night: %(seat)s."),
        "answer_don": _("Answer to the don about No. %(seat)s"),
        "answer_sheriff": _("Answer to the sheriff about No. %(seat)s"),
        "answers": {
            "yes": [pgettext("check", "yes, the sheriff"), _("by custom: a nod")],
            "no": [pgettext("check", "no"), _("by custom: shake the head")],
            "black": [pgettext("check", "black"), _("by custom: thumb down")],
            "red": [pgettext("check", "red"), _("by custom: thumb up")],
        },
    }


def _entry_words() -> dict[str, object]:
    return {
        "of_minute": _("minute of %(seat)s"),
        "of_last_words": _("last words of %(seat)s"),
        "of_night": _("night"),
        "of_vote": pgettext("undo", "vote"),
        "of_beginning": pgettext("undo", "beginning"),
        "of_warning": _("warning of %(seat)s"),
        "of_foul": _("foul of %(seat)s"),
        "of_removal": _("removal of %(seat)s"),
        "of_defeat": _("team defeat"),
        "of_nomination": _("nomination of %(seat)s"),
        "of_votes": [ngettext("%(count)s vote for %(seat)s", "%(count)s votes for %(seat)s", n) for n in COUNTED],
        "of_shot": _("shot at %(seat)s"),
        "of_miss": _("miss"),
        "of_check": _("check of %(seat)s"),
        "of_strike": _("Struck out: %(entry)s"),
    }


def _row_words() -> dict[str, object]:
    return {
        "fouls": [ngettext("%(n)s foul", "%(n)s fouls", n) for n in COUNTED],
        "silent": pgettext("silence", "no word"),
        "short": pgettext("silence", "30 seconds"),
        "left": _("leaves"),
        "left_long": _("%(seat)s leaves the table"),
        "silenced": _("%(seat)s: third foul, the next minute is lost"),
        "word": _("has the word"),
        "foul_of": _("Foul: %(seat)s"),
        "foul_fourth": _("Fourth foul, hold: %(seat)s"),
    }
