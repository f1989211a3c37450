"""Keys of a fleet, by the functions of SROS2, and the list of the vehicles that are revoked.

A keystore has the authority of the fleet (``private``, which stays on the laptop) and a folder for
each enclave. ``computers`` in it has what each computer gets: its own enclave and nothing else.

DDS security knows two ways to take a vehicle out: other permissions for all, or a list of revoked
certificates, ``crl.pem`` in the folder of each enclave, which ROS 2 hands to the middleware. The
list is read when a process starts: one that runs goes on to trust whom it trusted.
"""

import datetime
import importlib
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import writing
from velocity_mobility_ros.core.environment.unix_process import raise_interrupt

NOT_INSTALLED = (
    'sros2 is not installed: install ros-DISTRO-sros2 (apt install ros-jazzy-sros2) and source '
    'ROS; the policies are written without it'
)

COMPUTERS, ENCLAVES, REVOKED = 'computers', 'enclaves', 'crl.pem'

LIFETIME = datetime.timedelta(days=3650)
"""Of a list of revoked certificates, that of the certificates of SROS2."""


def sros2(part: str) -> Any:
    """Return a module of SROS2.

    Raises:
        RunError: It is not installed.
    """
    try:
        return importlib.import_module(f'sros2.{part}')
    except (ImportError, LookupError) as error:  # the latter: it is not in the index of ament
        raise_interrupt(error)
        raise RunError(f'{NOT_INSTALLED} ({error})') from None


@contextmanager
def _explained(keystore: Path) -> Iterator[None]:
    """Make one line of an error of SROS2."""
    try:
        yield
    except (sros2('errors').SROS2Error, OSError, RuntimeError, ValueError, TypeError) as error:
        # a TypeError comes of an sros2 that is older than cryptography
        raise RunError(f'{keystore}: SROS2 does not make the keys: {error}') from None


def create_enclaves(keystore: Path, policies: Sequence[Path]) -> list[str]:
    """Create the keystore if there is none, and keys and signed permissions of each enclave.

    Args:
        keystore: Its folder. Keys that it has stay, permissions are signed anew.
        policies: Files of policies, each with one enclave or several.

    Returns:
        The paths of the enclaves, such as ``/uav_1``.

    Raises:
        RunError: SROS2 is not installed, or it refuses something.
    """
    stores, files = sros2('keystore'), sros2('policy')
    names = []
    with _explained(keystore):
        if not stores.is_valid_keystore(keystore):
            stores.create_keystore(keystore)
        for path in policies:
            for enclave in files.load_policy(path).find('enclaves'):
                names.append(enclave.get('path'))
                stores.create_enclave(keystore, names[-1])
                stores.create_permission(keystore, names[-1], path)
    old = next((keystore / ENCLAVES).rglob(REVOKED), None)
    _distribute(keystore, names, b'' if old is None else old.read_bytes())
    return names


def _distribute(keystore: Path, enclaves: Sequence[str], crl: bytes) -> None:
    """Give enclaves the list of the revoked, if there is one, and copy them for the computers."""
    for path in enclaves:
        file = keystore / ENCLAVES / path.strip('/') / REVOKED
        with writing(file):
            if crl:
                file.write_bytes(crl)
        copy_for_computer(keystore, path)


def copy_for_computer(keystore: Path, enclave: str) -> Path:
    """Copy what the computer of an enclave needs: a keystore without private keys of others."""
    name = enclave.strip('/')
    folder = keystore / COMPUTERS / name.replace('/', '_')
    with writing(folder, 'copy the keys to'):
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(keystore / ENCLAVES / name, folder / ENCLAVES / name)  # files, no links
        (folder / ENCLAVES / name / 'key.pem').chmod(0o600)
    return folder


def revoke_enclaves(keystore: Path, enclaves: Sequence[str]) -> list[str]:
    """Add the certificates of enclaves to the list of the revoked; return who is on it.

    Args:
        keystore: Its folder, with the private key of the authority.
        enclaves: Their paths.

    Raises:
        RunError: There is no such keystore or enclave, or SROS2 is not installed.
    """
    known = {path: keystore / ENCLAVES / path.strip('/') for path in listed_enclaves(keystore)}
    for path in enclaves:
        if path not in known:
            raise RunError(f'{keystore}: no enclave {path}; it has {", ".join(known) or "none"}')
    crl = _revoked(keystore, [known[path] / 'cert.pem' for path in enclaves])
    _distribute(keystore, [*known], crl)
    return [path for path, folder in known.items() if _is_revoked(crl, folder / 'cert.pem')]


def listed_enclaves(keystore: Path) -> list[str]:
    """Return the paths of all enclaves of a keystore.

    Raises:
        RunError: It is no keystore.
    """
    folder = keystore / ENCLAVES
    if not os.path.isdir(keystore / 'private') or not os.path.isdir(folder):
        raise RunError(f'{keystore}: no keystore; `swarm security enclave` makes one')
    keys = sorted(folder.rglob('key.pem'))
    return [f'/{key.parent.relative_to(folder).as_posix()}' for key in keys]


def _revoked(keystore: Path, certificates: Sequence[Path]) -> bytes:
    """Return the list of the revoked with some certificates more, signed by the authority."""
    x509, hashes, serialization = (
        _cryptography(part) for part in ('x509', 'hazmat.primitives.hashes',
                                         'hazmat.primitives.serialization')
    )  # fmt: skip
    authority = x509.load_pem_x509_certificate(
        (keystore / 'public' / 'identity_ca.cert.pem').read_bytes()
    )
    key = serialization.load_pem_private_key(
        (keystore / 'private' / 'identity_ca.key.pem').read_bytes(), None
    )
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = x509.CertificateRevocationListBuilder().issuer_name(authority.subject)
    builder = builder.last_update(now).next_update(now + LIFETIME)
    serials = {_serial(path) for path in certificates}
    for old in sorted((keystore / ENCLAVES).rglob(REVOKED))[:1]:
        serials |= {entry.serial_number for entry in x509.load_pem_x509_crl(old.read_bytes())}
    for serial in sorted(serials):
        entry = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(now)
        builder = builder.add_revoked_certificate(entry.build())
    signed = builder.sign(key, hashes.SHA256())
    return signed.public_bytes(serialization.Encoding.PEM)


def _is_revoked(crl: bytes, certificate: Path) -> bool:
    listed = _cryptography('x509').load_pem_x509_crl(crl)
    return listed.get_revoked_certificate_by_serial_number(_serial(certificate)) is not None


def _serial(certificate: Path) -> int:
    x509 = _cryptography('x509')
    return int(x509.load_pem_x509_certificate(certificate.read_bytes()).serial_number)


def _cryptography(part: str) -> Any:
    try:
        return importlib.import_module(f'cryptography.{part}')
    except ImportError as error:
        raise RunError(
            f'cryptography is not installed ({error}): install python3-cryptography, which sros2 '
            'needs as well'
        ) from None
