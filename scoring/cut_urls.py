"""Addresses of cuts and lots."""

from django.urls import path

from . import cut_views, final_views, lot_views, release_views

urlpatterns = [
    path("t/<slug:slug>/release/", release_views.release_page, name="release"),
    path("t/<slug:slug>/cuts/", cut_views.cuts_page, name="cuts"),
    path("t/<slug:slug>/cuts/<int:number>/", cut_views.cut_page, name="cut"),
    path("t/<slug:slug>/cuts/<int:number>/lot/", cut_views.cut_lot, name="cut-lot"),
    path("t/<slug:slug>/cuts/<int:number>/seats/", final_views.final_page, name="final"),
    path("t/<slug:slug>/cuts/<int:number>/seats/<uuid:uuid>.pdf", final_views.final_pdf, name="final-pdf"),
    path("t/<slug:slug>/lots/<int:pk>/", lot_views.lot_page, name="lot"),
    path("t/<slug:slug>/lots/<int:pk>.pdf", lot_views.lot_pdf, name="lot-pdf"),
]
