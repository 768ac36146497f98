"""PostgreSQL and Redis as distributions ship them, with TLS alone and a password, for one test."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import psycopg
import redis
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.bench.stage import wait_until
from tests.needs import found
from tests.testkit.ports import free_port
from tests.testkit.undertaker import ends_with_us

PASSWORD = "p@ss/w:rd"
_QUOTED = "p%40ss%2Fw%3Ard"


@dataclass(frozen=True)
class Server:
    """`url` reaches it; `ca` is the file with its certificate."""

    url: str
    port: int
    ca: Path


@contextmanager
def real_postgres() -> Iterator[Server]:
    """Takes connections with TLS and the password, and no others."""
    with _folder() as (folder, user):
        data, word = folder / "data", folder / "password"
        word.write_text(PASSWORD)
        make_certificate(folder)
        _give(folder, user)
        initdb = [str(found("initdb")), "--pgdata", str(data), "--username", "headgate"]
        secret = ["--pwfile", str(word), "--auth", "scram-sha-256", "--no-sync"]
        subprocess.run([*initdb, *secret], user=user, cwd=folder, check=True, capture_output=True)
        (data / "pg_hba.conf").write_text("hostssl all all 127.0.0.1/32 scram-sha-256\n")
        port = free_port()
        options = {
            "port": port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "ssl": "on",
            "ssl_cert_file": folder / "cert.pem",
            "ssl_key_file": folder / "key.pem",
            "fsync": "off",
        }
        argv = [str(found("postgres")), "-D", str(data)]
        argv += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        ca = folder / "cert.pem"
        url = (
            f"postgres://headgate:{_QUOTED}@127.0.0.1:{port}/postgres"
            f"?sslmode=verify-full&sslrootcert={ca}"
        )

        def is_there() -> bool:
            try:
                psycopg.connect(url, connect_timeout=2).close()
            except psycopg.OperationalError:
                return False
            return True

        with _running(argv, folder, user, is_there):
            yield Server(url, port, ca)


@contextmanager
def real_redis() -> Iterator[Server]:
    """Takes connections with TLS and the password, and no others."""
    with _folder() as (folder, user):
        make_certificate(folder)
        _give(folder, user)
        port = free_port()
        argv = [
            *(str(found("redis-server")), "--port", "0", "--tls-port", str(port)),
            *("--tls-cert-file", str(folder / "cert.pem"), "--tls-key-file"),
            *(str(folder / "key.pem"), "--tls-auth-clients", "no", "--bind", "127.0.0.1"),
            *("--requirepass", PASSWORD, "--save", "", "--dir", str(folder)),
        ]
        ca = folder / "cert.pem"
        url = f"rediss://:{_QUOTED}@127.0.0.1:{port}/0?ssl_ca_certs={ca}"

        def is_there() -> bool:
            try:
                with redis.Redis.from_url(url) as client:
                    return bool(client.ping())
            except redis.ConnectionError:
                return False

        with _running(argv, folder, user, is_there):
            yield Server(url, port, ca)


@contextmanager
def _running(
    argv: list[str], folder: Path, user: str | None, is_there: Callable[[], bool]
) -> Iterator[None]:
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(argv, user=user, cwd=folder, stdout=log, stderr=log)
        # At once; nothing is to be kept.
        how = signal.SIGKILL if "redis" in argv[0] else signal.SIGQUIT
        with ends_with_us(folder, how, process.pid):
            try:
                wait_until(is_there, f"{argv[0]}")
                yield
            finally:
                process.send_signal(how)
                process.wait(20)


@contextmanager
def _folder() -> Iterator[tuple[Path, str | None]]:
    """A folder, and the user for whom it is: PostgreSQL does not run as root."""
    folder = Path(tempfile.mkdtemp(prefix="headgate-server-"))
    try:
        yield folder, "postgres" if os.geteuid() == 0 else None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _give(folder: Path, user: str | None) -> None:
    if user is not None:
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, user)
    folder.chmod(0o755)


def make_certificate(folder: Path) -> None:
    """`cert.pem` and `key.pem` of a server on loopback, which is its own authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    (folder / "key.pem").chmod(0o600)
