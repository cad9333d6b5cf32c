"""A certificate authority of this site's own, and the certificate that it gives the site for its addresses.

A phone trusts the authority once. It may vouch for addresses of local networks only (name constraints, RFC 5280
4.2.1.10), so that whoever stole its key could not pass for a bank on the phones of a whole tournament.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_LASTS = datetime.timedelta(days=5 * 365)
SITE_LASTS = datetime.timedelta(days=397)  # phones refuse what lasts longer than 825 days
RENEWED_BEFORE = datetime.timedelta(days=30)  # of its end
BACKDATED = datetime.timedelta(days=2)  # a phone's clock may be behind

LOCAL_NETWORKS = (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8",
    "fc00::/7", "fe80::/10", "::1/128",
)  # fmt: skip
LOCAL_NAMES = ("local", "localhost", "lan", "internal", "home.arpa")


@dataclass(frozen=True, slots=True)
class Files:
    """Where the keys and certificates lie; `site_certificate` holds the authority's behind the site's own."""

    folder: Path

    @property
    def authority_key(self) -> Path:
        """The authority's private key."""
        return self.folder / "ca.key"

    @property
    def authority(self) -> Path:
        """The authority's certificate: what a phone is given."""
        return self.folder / "ca.crt"

    @property
    def site_key(self) -> Path:
        """The site's private key."""
        return self.folder / "site.key"

    @property
    def site_certificate(self) -> Path:
        """The site's certificate."""
        return self.folder / "site.crt"


@dataclass(frozen=True, slots=True)
class Made:
    """What `certify` did: whether phones must trust anew, and whether the site must load its certificate anew."""

    files: Files
    is_new_authority: bool
    is_new_certificate: bool


def certify(folder: Path, names: Sequence[str]) -> Made:
    """Sees to a certificate for these addresses and host names, kept in `folder` as long as it serves.

    The authority is made once and kept; a new one is made only near its end, where its files are unreadable, or for a
    name that it may not vouch for: a host with a public address.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    files = Files(folder)
    authority, key = _kept(files.authority, files.authority_key)
    is_new_authority = authority is None or key is None or not _serves(authority) or not _may_vouch(authority, names)
    if authority is None or key is None or is_new_authority:
        authority, key = _new_authority(names)
        _write(files.authority_key, _key_bytes(key))
        _write(files.authority, _bytes(authority))
    site, site_key = _kept(files.site_certificate, files.site_key)
    is_new = is_new_authority or site is None or site_key is None or not _stands(site, authority, names)
    if is_new:
        site, site_key = _new_certificate(authority, key, names)
        _write(files.site_key, _key_bytes(site_key))
        _write(files.site_certificate, _bytes(site) + _bytes(authority))
    return Made(files, is_new_authority, is_new)


def names_in(certificate: x509.Certificate) -> set[str]:
    """The addresses and host names that the certificate is for."""
    found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    addresses = (str(address) for address in found.get_values_for_type(x509.IPAddress))
    return {*found.get_values_for_type(x509.DNSName), *addresses}


# ---------------------------------------------------------------- made


def _new_authority(names: Sequence[str]) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    # Two sites in one hall are told apart by the key's beginning.
    mark = x509.SubjectKeyIdentifier.from_public_key(key.public_key()).digest.hex()[:6]
    name = _name(f"Sports mafia protocols {mark}")
    made = (
        _builder(name, name, key.public_key(), AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.NameConstraints(permitted_subtrees=_permitted(names), excluded_subtrees=None), critical=True
        )
        .sign(key, hashes.SHA256())
    )
    return made, key


def _new_certificate(
    authority: x509.Certificate, authority_key: ec.EllipticCurvePrivateKey, names: Sequence[str]
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    identifier = authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    made = (
        _builder(_name("Sports mafia protocols"), authority.subject, key.public_key(), SITE_LASTS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), critical=False
        )
        .sign(authority_key, hashes.SHA256())
    )  # fmt: skip
    return made, key


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, lasts: datetime.timedelta
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BACKDATED)
        .not_valid_after(now + lasts - BACKDATED)
    )


def _name(words: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, words)])


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=signs_certificates, crl_sign=signs_certificates,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _general(name: str) -> x509.GeneralName:
    address = _address(name)
    return x509.DNSName(name) if address is None else x509.IPAddress(address)


def _permitted(names: Sequence[str]) -> list[x509.GeneralName]:
    """The local networks and names, and, one by one, what of this host lies outside of them."""
    networks = [ipaddress.ip_network(network) for network in LOCAL_NETWORKS]
    domains = list(LOCAL_NAMES)
    for name in names:
        address = _address(name)
        if address is None and not any(_is_under(name, domain) for domain in domains):
            domains.append(name)
        elif address is not None and not any(address in network for network in networks):
            networks.append(ipaddress.ip_network(address))
    return [*(x509.IPAddress(network) for network in networks), *(x509.DNSName(domain) for domain in domains)]


def _is_under(name: str, domain: str) -> bool:
    return name == domain or name.endswith(f".{domain}")


# ---------------------------------------------------------------- kept


def _kept(certificate: Path, key: Path) -> tuple[x509.Certificate | None, ec.EllipticCurvePrivateKey | None]:
    """What lies in the two files; nothing where either is missing, spoiled or not the other's."""
    try:
        found = x509.load_pem_x509_certificate(certificate.read_bytes())
        private = serialization.load_pem_private_key(key.read_bytes(), password=None)
    except (OSError, ValueError, TypeError):
        return None, None
    if not isinstance(private, ec.EllipticCurvePrivateKey) or found.public_key() != private.public_key():
        return None, None
    return found, private


def _serves(certificate: x509.Certificate) -> bool:
    now = datetime.datetime.now(datetime.UTC)
    return certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc - RENEWED_BEFORE


def _may_vouch(authority: x509.Certificate, names: Sequence[str]) -> bool:
    permitted = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    domains = [str(each.value) for each in permitted if isinstance(each, x509.DNSName)]
    networks = [each.value for each in permitted if isinstance(each, x509.IPAddress)]

    def may(name: str) -> bool:
        address = _address(name)
        if address is None:
            return any(_is_under(name, domain) for domain in domains)
        return any(
            address in network
            for network in networks
            if isinstance(network, ipaddress.IPv4Network | ipaddress.IPv6Network)
        )

    return all(may(name) for name in names)


def _stands(site: x509.Certificate, authority: x509.Certificate, names: Sequence[str]) -> bool:
    """Whether the site's certificate is this authority's, in time, and for all these names."""
    try:
        site.verify_directly_issued_by(authority)
    except Exception:  # whatever is wrong with it, another one is made
        return False
    return _serves(site) and set(names) <= names_in(site)


def _bytes(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _key_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write(path: Path, data: bytes) -> None:
    """Puts a whole file there, which nobody but its owner may read at any moment."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
    fresh.replace(path)
