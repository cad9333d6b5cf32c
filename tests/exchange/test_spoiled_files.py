"""Whatever somebody does to a file: it is taken whole, or refused in words; it never breaks the reader."""

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from .expected import GAMES
from .files import complaints, evening_data, game_data, raw

FILES = [*(game_data(name) for name in GAMES), {**evening_data(), "computed_totals": []}]

VALUES: list[Any] = [
    None, True, False, -1, *range(12), 1.5, "", "x", "day", "night", "warnings", "kickOut", "giveUp", "teamKickOut",
    "speaking", "voting", "voting kill all", "shooting", "end", "maf", "don", "sheriff", "tie", [], {}, [1, 2, 3],
    [5, 7], [5, 7, True], {"round": 2, "time": "speaking", "speaker": 4}, {"round": 1, "type": "night"},
    {"round": 1, "type": "kickOut", "time": {"round": 1, "time": "shooting"}},
]  # fmt: skip


def _holders(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list) and value:
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from _holders(item)


def spoil(data: st.DataObject, files: list[Any]) -> Any:
    """One of the files, with one to three of its values taken out or replaced."""
    file = copy.deepcopy(data.draw(st.sampled_from(files)))
    for _ in range(data.draw(st.integers(1, 3))):
        holder = data.draw(st.sampled_from(list(_holders(file))))
        key = data.draw(st.sampled_from(list(holder) if isinstance(holder, dict) else range(len(holder))))
        if data.draw(st.integers(0, 5)) == 0:
            del holder[key]
        else:
            holder[key] = copy.deepcopy(data.draw(st.sampled_from(VALUES)))
    return file


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_spoiled_file_is_taken_or_refused_in_words(data: st.DataObject) -> None:
    for line in complaints(raw(spoil(data, FILES))):
        assert line and "%(" not in line and "\n" not in line
