"""Addresses of tournaments, games and their protocols."""

from django.urls import URLPattern, URLResolver, path

from protocols.views import (
    board,
    documents,
    finish,
    games,
    login_again,
    paper,
    people,
    prepare,
    public,
    records,
    tournaments,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", public.home, name="home"),
    path("rules/", public.rules, name="rules"),
    path("t/new/", tournaments.new, name="tournament-new"),
    path("t/<slug:slug>/", public.tournament, name="tournament"),
    path("t/<slug:slug>/edit/", tournaments.edit, name="tournament-edit"),
    path("t/<slug:slug>/edit/stages/<int:number>/", tournaments.edit_stage, name="stage-edit"),
    path("t/<slug:slug>/edit/dismiss/", tournaments.dismiss, name="dismiss"),
    path("t/<slug:slug>/upload/", records.upload, name="upload"),
    path("t/<slug:slug>/desk/", tournaments.desk, name="desk"),
    path("t/<slug:slug>/protocols.pdf", documents.stage_protocols, name="stage-protocols"),
    path("documents/<uuid:uuid>/", documents.document, name="document"),
    path("documents/<uuid:uuid>/file.pdf", documents.document_file, name="document-file"),
    path("games/", games.mine, name="my-games"),
    path("games/new/", games.new, name="game-new"),
    path("games/<uuid:uuid>/", games.protocol, name="game"),
    path("games/<uuid:uuid>/record.json", records.record, name="record"),
    path("games/<uuid:uuid>/sheet.pdf", documents.sheet_pdf, name="sheet-pdf"),
    path("games/<uuid:uuid>/blank.pdf", documents.blank_pdf, name="blank-pdf"),
    path("games/<uuid:uuid>/prepare/", prepare.prepare, name="prepare"),
    path("games/<uuid:uuid>/board/", board.board, name="board"),
    path("games/<uuid:uuid>/entries/", board.entries, name="entries"),
    path("games/<uuid:uuid>/paper/", paper.paper, name="paper"),
    path("games/<uuid:uuid>/finish/", finish.finish, name="finish"),
    path("schema/<slug:name>.json", records.schema, name="schema"),
    path("login/again/", login_again.log_in_again, name="login-again"),
    path("games/<uuid:uuid>/hand-over/", people.hand_over, name="hand-over"),
    path("games/<uuid:uuid>/reopen/", games.reopen, name="reopen"),
    path("players/suggest/", people.suggest, name="player-suggest"),
]
