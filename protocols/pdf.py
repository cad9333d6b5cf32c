"""PDFs, drawn by WeasyPrint from the HTML that the screen shows, from our own files alone.

Styles and fonts are read once a process and kept. The fonts that belong to them must not be used by two threads at
once (it corrupts memory), so one PDF is drawn at a time.
"""

from __future__ import annotations

import gc
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from urllib.parse import urlsplit
from urllib.request import url2pathname
from xml.etree import ElementTree

import pikepdf
from cssselect2 import ElementWrapper  # type: ignore[import-untyped]
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from weasyprint import CSS, HTML
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from .rules.sheet import Sheet
from .sheet_layers import ink_layer, is_usual, printed_layer
from .sheet_view import Form, Labels, form_of

SHEET_STYLES = ("css/sheet.css", "css/sheet-paper.css")


class OwnFiles(URLFetcher):  # type: ignore[misc]
    """Gives out our own static files and nothing else: no network, no other file of this machine."""

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
        """The file behind a file: address under the folder of static files; ValueError for any other address."""
        parts = urlsplit(url)
        path = Path(url2pathname(parts.path)).resolve()
        if parts.scheme != "file" or not path.is_relative_to(_static_root()):
            raise ValueError(f"not one of our files: {url}")
        return URLFetcherResponse(url, path.read_bytes())


# What the tags on our pages are by nature. WeasyPrint's own style sheet has 250 lines, and has it compute the styles
# of notes and markers six times over for every element.
NATURE = """
article, body, div, footer, h1, h2, h3, header, html, main, p, section { display: block }
head, link, meta, script, style, title { display: none }
table { border-spacing: 2px; box-sizing: border-box; display: table; text-indent: initial }
caption { display: table-caption; text-align: center }
colgroup { display: table-column-group }
col { display: table-column }
thead { display: table-header-group; vertical-align: middle }
tbody { display: table-row-group; vertical-align: middle }
tfoot { display: table-footer-group; vertical-align: middle }
tr { display: table-row; vertical-align: inherit }
td, th { display: table-cell; vertical-align: inherit }
ol, ul { display: block; list-style: none; padding: 0 }
li { display: block }
b, h1, h2, h3, strong, th { font-weight: bold }
em, i { font-style: italic }
s { text-decoration: line-through }
br::before { content: '\\A'; white-space: pre-line }
"""


class Page(HTML):  # type: ignore[misc]
    """A page that WeasyPrint reads and styles in less time; one that is no XML is read in the ordinary way.

    Our own pages are well-formed XML, which the C parser reads in a twentieth of the time of the HTML one.
    """

    def __init__(self, markup: str) -> None:
        base_url = _static_root().as_uri() + "/"
        try:
            root = ElementTree.fromstring(markup.removeprefix("<!DOCTYPE html>"))  # noqa: S314 - our own template
        except ElementTree.ParseError:
            super().__init__(string=markup, base_url=base_url, url_fetcher=_fetcher)
            return
        self.base_url = base_url
        self.url_fetcher = _fetcher
        self.media_type = "print"
        self.wrapper_element = ElementWrapper.from_html_root(root, content_language=None)
        self.etree_element = root

    def _ua_stylesheets(self, forms: bool = False) -> list[CSS]:
        return [_nature()]


@cache
def _nature() -> CSS:
    return CSS(string=NATURE)


_lock = Lock()
_fetcher = OwnFiles()
_fonts = FontConfiguration()
_styles: dict[tuple[str, ...], CSS] = {}
_press = Lock()


def _static_root() -> Path:
    return _static_file("css/print.css").parent.parent


def _static_file(name: str) -> Path:
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    return Path(found).resolve()


def _style(names: tuple[str, ...]) -> CSS:
    """The style sheets as one: every element is looked up in each of them, even in one that holds fonts only."""
    if names not in _styles:
        text = "\n".join(_static_file(name).read_text(encoding="utf-8") for name in names)
        base_url = _static_file(names[0]).as_uri()
        _styles[names] = CSS(string=text, base_url=base_url, url_fetcher=_fetcher, font_config=_fonts)
    return _styles[names]


@contextmanager
def _without_collector() -> Iterator[None]:
    """Boxes by the ten thousand, none of them garbage yet: looking through them again and again costs a fifth."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def html_pdf(html: str, styles: Iterable[str] = ()) -> bytes:
    """The PDF of a page; `styles` are static files beside those of fonts and print: «css/standings.css»."""
    with _lock, _without_collector():
        style = _style(("css/fonts.css", "css/print.css", *styles))
        pdf: bytes = Page(html).write_pdf(stylesheets=[style], font_config=_fonts)
    return pdf


def forms_html(forms: list[Form]) -> str:
    """The page of one or more forms, as paper gets it."""
    return render_to_string("protocols/sheet_print.html", {"forms": forms, "title": forms[0].title if forms else ""})


def form_pdf(form: Form) -> bytes:
    """Both sides of one form: what is written, laid over the form that was printed before."""
    if not is_usual(form):
        return html_pdf(forms_html([form]), SHEET_STYLES)
    _form, sides = _printed(form.labels)
    ink = html_pdf(forms_html([ink_layer(form)]), SHEET_STYLES)
    with _press, pikepdf.open(io.BytesIO(ink)) as document:
        for number, (page, side) in enumerate(zip(document.pages, sides, strict=False), start=1):
            # Page.add_underlay would do, but for the name at random that it gives: the same sheet, the same bytes.
            below = document.copy_foreign(side)
            name = page.add_resource(below, pikepdf.Name.XObject, pikepdf.Name(f"/Side{number}"))
            page.contents_add(f"q {name} Do Q\n".encode(), prepend=True)
        return _saved(document)


@cache
def _printed(labels: Labels) -> tuple[pikepdf.Pdf, list[pikepdf.Object]]:
    """The empty form with these labels, drawn once a process, and its two sides, which live as long as it is open."""
    form = pikepdf.open(io.BytesIO(html_pdf(forms_html([printed_layer(labels)]), SHEET_STYLES)))
    return form, [form.make_indirect(page.as_form_xobject()) for page in form.pages]


def _saved(document: pikepdf.Pdf) -> bytes:
    out = io.BytesIO()
    document.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return out.getvalue()


def sheet_pdf(sheet: Sheet) -> bytes:
    """Both sides of the sheet, without signature or the mark of a draft."""
    return form_pdf(form_of(sheet))


def sheets_pdf(sheets: list[Sheet]) -> bytes:
    """One document of all the sheets, in their order."""
    return merge([sheet_pdf(sheet) for sheet in sheets])


def merge(documents: Iterable[bytes]) -> bytes:
    """One document of ready ones, in their order."""
    with pikepdf.new() as whole:
        for data in documents:
            with pikepdf.open(io.BytesIO(data)) as part:
                whole.pages.extend(part.pages)
        return _saved(whole)
