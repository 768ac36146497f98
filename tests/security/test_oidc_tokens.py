"""Forged and unusual identity tokens: none opens a lease and none crashes the request"""

import base64
import contextlib
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.entry.settings import Settings
from bot.entry.web.oidc import OidcVerifier
from bot.entry.wiring import SystemClock
from bot.shell.orders import RefusalKind, Refused

_OURS = "https://headgate.example"


def _new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def _public(key: rsa.RSAPrivateKey, name: str) -> dict[str, object]:
    return {**jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True), "kid": name}


@dataclass
class Issuer:
    """An issuer whose list of keys may be anything."""

    url: str = ""
    key: rsa.RSAPrivateKey = field(default_factory=_new_key)
    foreign: rsa.RSAPrivateKey = field(default_factory=_new_key)
    body: bytes = b""

    def named(self, *keys: dict[str, object]) -> None:
        self.body = json.dumps({"keys": keys}).encode()

    def claims(self, **changed: object) -> dict[str, object]:
        now = int(time.time())
        claims = {
            **{"iss": self.url, "aud": _OURS, "iat": now, "exp": now + 60},
            **{"repository_id": "1", "run_id": "2", "run_attempt": "1", "actor_id": "3"},
            **{"event_name": "workflow_dispatch", "workflow_ref": "a/b/.github/workflows/c@main"},
        }
        return {k: v for k, v in {**claims, **changed}.items() if v is not None}

    def token(self, kid: object = "real", **changed: object) -> str:
        return _signed(self.key, json.dumps(self.claims(**changed)), kid=kid)


@pytest.fixture(scope="module")
def server() -> Iterator[Issuer]:
    made = Issuer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(made.body)))
            self.end_headers()
            self.wfile.write(made.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def issuer(server: Issuer) -> Issuer:
    server.named(_public(server.key, "real"))
    return server


@pytest.fixture
def verifier(issuer: Issuer) -> OidcVerifier:
    return OidcVerifier(Settings(oidc_issuer=issuer.url, public_url=_OURS), SystemClock())


def _part(said: bytes | str) -> str:
    raw = said.encode() if isinstance(said, str) else said
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _body(issuer: Issuer) -> str:
    return _part(json.dumps(issuer.claims()))


def _signed(key: rsa.RSAPrivateKey, claims: str, **header: object) -> str:
    said = f"{_part(json.dumps({'alg': 'RS256', 'typ': 'JWT', **header}))}.{_part(claims)}"
    signature = jwt.algorithms.RSAAlgorithm(jwt.algorithms.RSAAlgorithm.SHA256).sign(
        said.encode(), key
    )
    return f"{said}.{_part(signature)}"


def _unsigned(issuer: Issuer) -> str:
    return ".".join((_part(json.dumps({"alg": "none", "kid": "real"})), _body(issuer), ""))


def _public_key_as_a_secret(issuer: Issuer) -> str:
    pem = issuer.key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    said = f"{_part(json.dumps({'alg': 'HS256', 'kid': 'real'}))}.{_body(issuer)}"
    return f"{said}.{_part(hmac.new(pem, said.encode(), hashlib.sha256).digest())}"


def _brings_its_key(issuer: Issuer) -> str:
    own = _public(issuer.foreign, "real")
    said = json.dumps(issuer.claims())
    return _signed(
        issuer.foreign, said, kid="real", jwk=own, jku=f"{issuer.url}/x", x5u="https://e"
    )


def _of_claims(**changed: object) -> Callable[[Issuer], str]:
    return lambda issuer: issuer.token(**changed)


def _of_text(name: str, value: str) -> Callable[[Issuer], str]:
    """A claim that Python's own writer of JSON would not write."""

    def made(issuer: Issuer) -> str:
        said = json.dumps(issuer.claims(**{name: "HERE"})).replace('"HERE"', value)
        return _signed(issuer.key, said, kid="real")

    return made


def _of_header(header: str) -> Callable[[Issuer], str]:
    return lambda issuer: ".".join((_part(header), _body(issuer), _part("x")))


FORGED: dict[str, Callable[[Issuer], str]] = {
    "no algorithm": _unsigned,
    "the public key as a secret": _public_key_as_a_secret,
    "a key of its own": _brings_its_key,
    "no name of a key": _of_claims(kid=None),
    "a name that is a list": _of_header('{"alg":"RS256","kid":["real"]}'),
    "a name that is a path": _of_claims(kid="../../real"),
    "a name with a zero": _of_claims(kid="real\0"),
    "a name without end": _of_claims(kid="r" * 100_000),
    "a header that is a list": _of_header("[]"),
    "a header that is nested": _of_header("[" * 100_000),
    "a header with a long number": _of_header('{"alg":"RS256","kid":"real","x":' + "9" * 9_000 + "}"),
    "claims that are nested": lambda i: _signed(i.key, "[" * 100_000, kid="real"),
    "claims that are a list": lambda i: _signed(i.key, "[1]", kid="real"),
    "not Base64": lambda _: "\u00e9.\U0001f600.\ud800",
    "dots alone": lambda _: "." * 10_000,
    "a part too many": lambda i: i.token() + ".x",
    "several audiences": _of_claims(aud=["https://elsewhere.example", _OURS]),
    "an audience that is an object": _of_claims(aud={_OURS: 1}),
    "an audience that begins like ours": _of_claims(aud=f"{_OURS}.evil.example"),
    "an issuer that begins like ours": lambda i: i.token(iss=f"{i.url}.evil.example"),
    "an issuer that is a list": lambda i: i.token(iss=[i.url]),
    "no end": _of_claims(exp=None),
    "an end that is a word": _of_claims(exp="9999999999"),
    "an end that is true": _of_claims(exp=True),
    "an end beyond all numbers": _of_text("exp", "1e400"),
    "an end that is no number": _of_text("exp", "NaN"),
    "an end of 400 digits": _of_text("exp", "9" * 400),
    "an end long ago": _of_claims(exp=1),
    "a beginning in the future": _of_claims(nbf=9_999_999_999),
    "a beginning that is a word": _of_claims(nbf="0"),
    "a beginning that is no number": _of_text("nbf", "NaN"),
    "a birth in the future": _of_claims(iat=9_999_999_999),
    "a repository that is a word": _of_claims(repository_id="x"),
    "a repository that is a list": _of_claims(repository_id=[1]),
    "a repository below nothing": _of_claims(repository_id="-1"),
    "a run without end": _of_claims(run_id="9" * 5_000),
    "an attempt that is no number": _of_claims(run_attempt={}),
}  # fmt: skip


@pytest.mark.attack(
    "Tokens without an algorithm, with the public key as a secret, with a key of their own, with strange names of keys, times, audiences and numbers",
    held="`bot.entry.web.oidc.OidcVerifier`: one algorithm, the issuer's keys, one audience, times that are numbers",
)
@pytest.mark.parametrize("name", FORGED)
def test_a_forged_token_is_refused(issuer: Issuer, verifier: OidcVerifier, name: str) -> None:
    assert verifier.claims(issuer.token()).run_id == 2
    with pytest.raises(Refused) as refused:
        verifier.claims(FORGED[name](issuer))
    assert refused.value.kind is RefusalKind.UNAUTHORISED
    assert len(str(refused.value)) < 1_000


LISTS: dict[str, Callable[[Issuer], object]] = {
    "nothing": lambda _: None,
    "a list": lambda i: [_public(i.key, "real")],
    "keys that are a word": lambda _: {"keys": "real"},
    "a secret in place of a key": lambda _: {"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "real"}]},
    "a key for another algorithm": lambda i: {"keys": [{**_public(i.key, "real"), "alg": "PS512"}]},
    "a key that encrypts": lambda i: {"keys": [{**_public(i.key, "real"), "use": "enc"}]},
}  # fmt: skip


@pytest.mark.attack(
    "An issuer that answers with a strange list of keys while somebody asks for a lease",
    held="`bot.entry.web.oidc.OidcVerifier`: refused, and asked again later",
)
@pytest.mark.parametrize("name", LISTS)
def test_an_unusual_list_of_keys_accepts_no_forged_token(
    issuer: Issuer, verifier: OidcVerifier, name: str
) -> None:
    issuer.body = json.dumps(LISTS[name](issuer)).encode()
    said = []
    for token in (_brings_its_key(issuer), _unsigned(issuer), issuer.token()):
        with contextlib.suppress(Refused):
            said.append((token, verifier.claims(token)))
    assert [token for token, _ in said] in ([], [token])
