"""What happened in the four games of tests/data/games, read from the files by hand.

Nominations are «who>whom» in the order of speeches; a ballot gives each candidate's voters in ballot order; a foul is
«day.phase» and whose words or which candidate it fell into.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Expected:
    """One game, in a judge's words."""

    nicknames: str
    roles: str
    exits: dict[int, str]
    nominations: dict[int, str]
    openers: dict[int, int]
    ballots: dict[tuple[int, int], dict[int, str]]
    shots: dict[int, str]
    checks: dict[int, tuple[int | None, int | None]]  # night → the don's, the sheriff's
    fouls: dict[int, list[str]]
    winner: str
    raised: dict[int, bool] = field(default_factory=dict)
    best_move: tuple[int, ...] | None = None
    hits: int | None = None
    no_vote: dict[int, int] = field(default_factory=dict)  # day → the seat whose removal voids it
    short: dict[int, list[int]] = field(default_factory=dict)  # day → who had 30 seconds instead of silence
    points: dict[int, str] = field(default_factory=dict)  # the Federation's, both columns; 0 where not named


FULL_BLACK_WIN = Expected(
    nicknames="Лотос Мираж Норд Онега Парус Рубин Сокол Тайга Умка Филин",
    roles="К К К К Д Ш Ч Ч К К",
    exits={
        4: "shot night 1",
        5: "voted day 2",
        6: "shot night 2",
        8: "voted day 3",
        3: "shot night 3",
        10: "voted day 4",
        9: "shot night 4",
        1: "voted day 5",
    },
    nominations={
        1: "2>1 10>3",
        2: "2>6 3>5 6>10 7>9 9>8 10>1 1>7",
        3: "3>8 8>7",
        4: "7>1 9>10 1>7",
        5: "1>7 2>1",
    },
    openers={1: 1, 2: 2, 3: 3, 4: 7, 5: 1},
    ballots={
        (1, 0): {1: "2 3 4 5 6", 3: "1 7 8 9 10"},
        (1, 1): {1: "2 3 4 5 6", 3: "1 7 8 9 10"},
        (2, 0): {6: "8", 5: "1 3 10", 10: "", 9: "", 8: "2 6 9", 1: "7", 7: "5"},
        (2, 1): {5: "1 3 7 8 10", 8: "2 5 6 9"},
        (3, 0): {8: "1 2 3 7 9 10", 7: "8"},
        (4, 0): {1: "10", 10: "1 2 7 9", 7: ""},
        (5, 0): {7: "1", 1: "2 7"},
    },
    raised={1: False},
    shots={1: "5>4 7>4 8>4", 2: "7>6 8>6", 3: "7>3", 4: "7>9"},
    checks={1: (3, 9), 2: (None, 3), 3: (None, None), 4: (None, None)},
    best_move=(3, 5, 6),
    hits=1,
    fouls={
        4: ["1 speech of 4"],
        3: ["2 speech of 1"],
        8: ["2 speech of 9", "3 speech of 1"],
        9: ["2 before revote 1, words of 8"],
        2: ["3 speech of 1", "4 speech of 7", "4 ballot 0 on 7"],
        10: ["3 speech of 1"],
        1: ["4 speech of 2", "4 speech of 2", "4 ballot 0 on 7"],
    },
    short={5: [1, 2]},
    winner="black",
    points={5: "1", 7: "1", 8: "1"},
)

RAISE_ALL = Expected(
    nicknames="Парус Сокол Филин Хмель Цапля Чайка Шторм Эхо Лотос Тайга",
    roles="К К Ч К К К К Ш Д Ч",
    exits={
        1: "raised day 1",
        2: "raised day 1",
        6: "shot night 1",
        9: "voted day 2",
        8: "shot night 2",
        3: "voted day 3",
        5: "shot night 3",
        10: "voted day 4",
    },
    nominations={1: "3>1 10>2", 2: "3>9", 3: "4>10 5>3 10>7", 4: "7>10 10>7"},
    openers={1: 1, 2: 3, 3: 4, 4: 7},
    ballots={
        (1, 0): {1: "2 3 4 5 6", 2: "1 7 8 9 10"},
        (1, 1): {1: "2 3 4 5 6", 2: "1 7 8 9 10"},
        (2, 0): {9: "3 4 5 7 8 9 10"},
        (3, 0): {10: "", 3: "4 5 7 10", 7: "3"},
        (4, 0): {10: "4 7", 7: "10"},
    },
    raised={1: True},
    shots={1: "3>6 9>6 10>6", 2: "3>8 10>8", 3: "10>5"},
    checks={1: (7, 9), 2: (None, 5), 3: (None, None)},
    fouls={3: ["3 speech of 5"], 4: ["3 speech of 5"], 7: ["4 speech of 10"]},
    winner="red",
    points={1: "1", 2: "1", 4: "1", 5: "1", 6: "1", 7: "1", 8: "1"},
)

FOURTH_FOUL = Expected(
    nicknames="Филин Шторм Умка Лотос Юнга Норд Эхо Гранит Парус Ягуар",
    roles="К К Ч К Ч К К Ш Д К",
    exits={2: "shot night 1", 7: "voted day 2", 8: "shot night 2", 10: "fouls day 3"},
    nominations={1: "9>2", 2: "3>5 4>1 5>8 7>10 8>7", 3: "4>3 5>9 3>1"},
    openers={1: 1, 2: 3, 3: 4},
    ballots={
        (2, 0): {5: "1 3 6", 1: "8 9", 8: "", 10: "7", 7: "4 5 10"},
        (2, 1): {5: "6", 7: "1 3 4 5 7 8 9 10"},
    },
    shots={1: "3>2 5>2 9>2", 2: "3>8 5>8 9>8"},
    checks={1: (8, 4), 2: (None, 3)},
    best_move=(1, 3, 8),
    hits=1,
    fouls={
        1: ["1 speech of 2"],
        4: ["2 speech of 1"],
        7: ["2 before revote 1, words of 7"],
        3: ["3 speech of 9"],
        5: ["3 speech of 6", "3 speech of 10"],
        10: ["3 speech of 10", "3 speech of 1", "3 speech of 1", "3 ballot 0 on 3"],
    },
    no_vote={3: 10},
    winner="black",
    points={3: "1", 5: "1", 9: "1", 10: "-0.5"},
)

CHECKS = Expected(
    nicknames="Астра Барс Вихрь Гранит Дельта Ёлка Жасмин Зенит Ирис Каштан",
    roles="Ш Ч К К К К Ч Д К К",
    exits={
        1: "shot night 1",
        8: "voted day 2",
        3: "shot night 2",
        7: "voted day 3",
        5: "shot night 3",
        6: "voted day 4",
        4: "shot night 4",
        9: "voted day 5",
    },
    nominations={2: "7>5 9>8", 3: "6>7 7>5 9>6", 4: "6>9 4>6", 5: "9>2 10>9 2>10"},
    openers={1: 1, 2: 2, 3: 4, 4: 6, 5: 9},
    ballots={
        (2, 0): {5: "7 8", 8: "2 3 4 5 6 9 10"},
        (3, 0): {7: "4 9 10", 5: "6 7", 6: "2 5"},
        (4, 0): {9: "6", 6: "2 4 9 10"},
        (5, 0): {2: "", 9: "2 10", 10: "9"},
    },
    shots={1: "2>1 7>1 8>1", 2: "2>3 7>3", 3: "2>5", 4: "2>4"},
    checks={1: (4, 10), 2: (None, None), 3: (None, None), 4: (None, None)},
    fouls={
        1: ["2 last words of 1"],
        2: ["3 speech of 5", "3 ballot 0"],
        4: ["1 speech of 10", "4 last words of 6"],
        5: ["2 speech of 9"],
        6: ["2 speech of 4"],
        7: ["1 speech of 10"],
        8: ["1 speech of 9"],
        9: ["3 speech of 2"],
    },
    winner="black",
    points={2: "1", 7: "1", 8: "1"},
)

GAMES = {
    "full-black-win": FULL_BLACK_WIN,
    "raise-all-5-5-on-day-1": RAISE_ALL,
    "fourth-foul-during-the-vote": FOURTH_FOUL,
    "don-and-sheriff-checks": CHECKS,
}
