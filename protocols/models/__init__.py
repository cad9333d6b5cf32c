"""What is stored: tournaments, games, their entries and their signed sheets."""

from .applications import Application, ApplicationState
from .audit import AuditRow, AuditWhat
from .clock import GameClock
from .documents import Document, DocumentState
from .drafts import Draft
from .entries import (
    PROXIES,
    BestMove,
    Check,
    Entry,
    ExtraPoints,
    Foul,
    FoulClause,
    GameOver,
    Nomination,
    RaiseAll,
    Roles,
    Ruling,
    SeatCorrection,
    Shot,
    SpeechMark,
    Strike,
    Turn,
    Vote,
    Withdrawal,
)
from .feeds import FeedEvent
from .game import CLOSED, OPEN, Game, Seat, Status
from .hiding import Hidden, Hiding
from .invitations import MOST_TRIES, Invitation, MemberChange
from .merges import PlayerMerge
from .photos import SheetPhoto
from .protests import CorrectionRequest, DecisionKind, FiledHow, Protest, ProtestDecision, ProtestVote
from .regulations import RegulationVersion
from .rounds import (
    Conflict,
    KeptApart,
    Participant,
    ParticipantState,
    Round,
    SeatingKind,
    SeatingRun,
    SeatingState,
)
from .running import Cancellation, SeatChange
from .sheets import SeatResult, SignedSheet
from .tournament import (
    NICKNAME_LENGTH,
    Member,
    MemberRole,
    Player,
    RegulationCode,
    Stage,
    Tournament,
    nickname_key,
    nickname_written,
)

__all__ = [
    "CLOSED",
    "MOST_TRIES",
    "NICKNAME_LENGTH",
    "OPEN",
    "PROXIES",
    "Application",
    "ApplicationState",
    "AuditRow",
    "AuditWhat",
    "BestMove",
    "Cancellation",
    "Check",
    "Conflict",
    "CorrectionRequest",
    "DecisionKind",
    "Document",
    "DocumentState",
    "Draft",
    "Entry",
    "ExtraPoints",
    "FeedEvent",
    "FiledHow",
    "Foul",
    "FoulClause",
    "Game",
    "GameClock",
    "GameOver",
    "Hidden",
    "Hiding",
    "Invitation",
    "KeptApart",
    "Member",
    "MemberChange",
    "MemberRole",
    "Nomination",
    "Participant",
    "ParticipantState",
    "Player",
    "PlayerMerge",
    "Protest",
    "ProtestDecision",
    "ProtestVote",
    "RaiseAll",
    "RegulationCode",
    "RegulationVersion",
    "Roles",
    "Round",
    "Ruling",
    "Seat",
    "SeatChange",
    "SeatCorrection",
    "SeatResult",
    "SeatingKind",
    "SeatingRun",
    "SeatingState",
    "SheetPhoto",
    "Shot",
    "SignedSheet",
    "SpeechMark",
    "Stage",
    "Status",
    "Strike",
    "Tournament",
    "Turn",
    "Vote",
    "Withdrawal",
    "nickname_key",
    "nickname_written",
]  # fmt: skip
