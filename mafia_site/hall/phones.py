"""How a phone comes to trust the site: one page with pictures, and the authority's certificate to download.

The door gives out the same page without HTTPS, to phones that can't trust yet.
"""

from __future__ import annotations

import io
from pathlib import Path

import segno
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from .certificates import Files

CERTIFICATE_TYPE = "application/x-x509-ca-cert"  # by which a phone knows what to do with it


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What to tap on an Android phone and on an iPhone; 404 where the site isn't served by `make serve`."""
    _only_in_the_hall()
    return HttpResponse(page_html())


@require_safe
def certificate(request: HttpRequest) -> HttpResponse:
    """The authority's certificate; its key never leaves the machine."""
    _only_in_the_hall()
    return HttpResponse(authority_file().read_bytes(), content_type=CERTIFICATE_TYPE)


def _only_in_the_hall() -> None:
    if not settings.HALL_SITE:
        raise Http404


def authority_file() -> Path:
    """Where the authority's certificate lies."""
    return Files(settings.TLS_DIR).authority


def page_html() -> str:
    """The page, the same for everybody."""
    context = {
        "site": settings.HALL_SITE,
        "door": settings.HALL_DOOR,
        "qr": {"site": qr_image(f"{settings.HALL_SITE}/"), "door": qr_image(f"{settings.HALL_DOOR}/hall/")},
        "fingerprint": fingerprint(),
        "authority": authority_name(),
    }
    return render_to_string("hall/phones_page.html", context)


def qr_image(address: str) -> str:
    """The address as a QR code, as an image's address."""
    return segno.make(address, error="m", micro=False).svg_data_uri(border=4, scale=4, light="#fff")


def qr_lines(address: str) -> list[str]:
    """The address as a QR code in lines of half blocks, light on dark as terminals are."""
    out = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(out=out, border=2, compact=True)
    return out.getvalue().splitlines()


def authority_name() -> str:
    """The authority's name, as a phone lists it."""
    return str(_authority().subject.rfc4514_string().removeprefix("CN="))


def fingerprint() -> str:
    """The SHA-256 of the authority's certificate in pairs of digits, to be compared by whoever wants to be sure."""
    return _authority().fingerprint(hashes.SHA256()).hex(" ").upper()


def _authority() -> x509.Certificate:
    return x509.load_pem_x509_certificate(authority_file().read_bytes())
