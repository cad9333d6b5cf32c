"""The certificate authority of the hall: kept, hidden, and good for local networks alone."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from cryptography import x509

from mafia_site.hall.addresses import addresses, host_names
from mafia_site.hall.certificates import Files, certify, names_in

NAMES = ("192.168.1.5", "laptop.local", "localhost", "127.0.0.1")


def site_certificate(files: Files) -> x509.Certificate:
    """The site's own certificate, the first of its chain."""
    return x509.load_pem_x509_certificate(files.site_certificate.read_bytes())


def test_the_certificate_is_for_every_address_and_issued_by_the_authority(tmp_path: Path) -> None:
    made = certify(tmp_path / "tls", NAMES)
    site = site_certificate(made.files)
    authority = x509.load_pem_x509_certificate(made.files.authority.read_bytes())
    site.verify_directly_issued_by(authority)
    assert (made.is_new_authority, made.is_new_certificate, names_in(site)) == (True, True, set(NAMES))


def test_nobody_else_may_read_the_keys(tmp_path: Path) -> None:
    files = certify(tmp_path / "tls", NAMES).files
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (files.folder, *files.folder.iterdir())}
    assert modes == {"tls": 0o700, "ca.key": 0o600, "ca.crt": 0o600, "site.key": 0o600, "site.crt": 0o600}


def test_another_start_keeps_both(tmp_path: Path) -> None:
    files = certify(tmp_path / "tls", NAMES).files
    before = {path.name: path.read_bytes() for path in files.folder.iterdir()}
    again = certify(tmp_path / "tls", NAMES[:2])
    assert (again.is_new_authority, again.is_new_certificate) == (False, False)
    assert {path.name: path.read_bytes() for path in files.folder.iterdir()} == before


def test_another_address_renews_the_certificate_and_keeps_the_authority(tmp_path: Path) -> None:
    files = certify(tmp_path / "tls", NAMES).files
    authority = files.authority.read_bytes()
    moved = certify(tmp_path / "tls", ("10.0.0.7", *NAMES))
    assert (moved.is_new_authority, moved.is_new_certificate) == (False, True)
    assert (files.authority.read_bytes(), names_in(site_certificate(files))) == (authority, {"10.0.0.7", *NAMES})


def test_the_authority_vouches_for_nothing_beyond_local_networks(tmp_path: Path) -> None:
    files = certify(tmp_path / "tls", NAMES).files
    authority = x509.load_pem_x509_certificate(files.authority.read_bytes())
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints)
    permitted = {str(each.value) for each in limits.value.permitted_subtrees or []}
    assert limits.critical
    assert permitted == {
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8",
        "fc00::/7", "fe80::/10", "::1/128", "local", "localhost", "lan", "internal", "home.arpa",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["8.8.4.4", "mafia.example.org"])
def test_a_public_name_of_this_very_host_takes_a_new_authority(tmp_path: Path, name: str) -> None:
    certify(tmp_path / "tls", NAMES)
    made = certify(tmp_path / "tls", (name, *NAMES))
    assert (made.is_new_authority, certify(tmp_path / "tls", (name, *NAMES)).is_new_authority) == (True, False)


@pytest.mark.parametrize("name", ["ca.key", "ca.crt"])
def test_a_spoiled_authority_is_made_anew(tmp_path: Path, name: str) -> None:
    files = certify(tmp_path / "tls", NAMES).files
    (files.folder / name).write_bytes(b"nothing of the kind")
    made = certify(tmp_path / "tls", NAMES)
    assert (made.is_new_authority, made.is_new_certificate) == (True, True)


def test_host_names_are_those_given_and_the_one_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Laptop.example.org")
    monkeypatch.setenv("HALL_NAMES", "mafia.lan, Laptop.local")
    assert host_names() == ["mafia.lan", "laptop.local"]
    assert "127.0.0.1" not in addresses()
