"""Credentials: the form of tokens, the check of App JWTs, and the signing of OIDC id tokens.

An App's JWT is accepted only with RS256, a known `iss`, an `iat` that is not ahead and an `exp` at
most ten minutes ahead (GitHub, "Generating a JSON Web Token (JWT) for a GitHub App").
"""

import base64
import secrets
from dataclasses import dataclass
from datetime import datetime

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.localhub.errors import ApiError
from bot.localhub.github_json import Json

# GitHub refuses a JWT with a longer lifetime.
JWT_LIFETIME_MAX_SECONDS = 600

# GitHub tolerates a client's clock that is slightly ahead.
CLOCK_SKEW_SECONDS = 60


def installation_token(app_id: int) -> str:
    """A token in GitHub's long form: a prefix, the App's id, and some 400 characters in all."""
    return f"ghs_{app_id}_{secrets.token_urlsafe(288)}"


def personal_token() -> str:
    return f"ghp_{secrets.token_hex(18)}"


def private_key_pem(key: rsa.RSAPrivateKey) -> str:
    """The key as GitHub hands it out: PKCS#1 PEM."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    ).decode()


def public_key_pem(key: rsa.RSAPrivateKey) -> str:
    return (
        key.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode()
    )


def new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def _undecodable() -> ApiError:
    return ApiError(401, "A JSON web token could not be decoded")


def issuer_of(token: str) -> str:
    """The `iss` that a JWT claims, before anything is checked."""
    try:
        claims = jwt.decode(token, options={"verify_signature": False})
    except jwt.PyJWTError as error:
        raise _undecodable() from error
    issuer = claims.get("iss")
    if not isinstance(issuer, str | int) or isinstance(issuer, bool):
        raise ApiError(401, "'Issuer' claim ('iss') must be an Integer")
    return str(issuer)


def check_app_jwt(token: str, public_key: str, now: datetime) -> None:
    """Raise GitHub's 401 if the JWT is invalid."""
    # The hub's clock counts, so PyJWT's own time checks are off.
    try:
        claims = jwt.decode(
            token,
            public_key,
            algorithms=["RS256"],
            options={"verify_exp": False, "verify_iat": False, "verify_nbf": False},
        )
    except jwt.PyJWTError as error:
        raise _undecodable() from error
    seconds = now.timestamp()
    issued, expires = claims.get("iat"), claims.get("exp")
    if not isinstance(issued, int | float) or issued > seconds + CLOCK_SKEW_SECONDS:
        raise ApiError(
            401,
            "'Issued at' claim ('iat') must be an Integer representing the time that the "
            "assertion was issued",
        )
    if not isinstance(expires, int | float) or expires <= seconds:
        raise ApiError(
            401,
            "'Expiration time' claim ('exp') must be a numeric value representing the future time "
            "at which the assertion expires",
        )
    if expires > seconds + JWT_LIFETIME_MAX_SECONDS + CLOCK_SKEW_SECONDS or (
        expires - issued > JWT_LIFETIME_MAX_SECONDS + CLOCK_SKEW_SECONDS
    ):
        raise ApiError(401, "'Expiration time' claim ('exp') is too far in the future")


@dataclass(frozen=True)
class Issuer:
    key: rsa.RSAPrivateKey
    key_id: str

    @classmethod
    def create(cls) -> "Issuer":
        return cls(new_key(), secrets.token_hex(20))

    def sign(self, claims: Json) -> str:
        return jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": self.key_id})

    def jwks(self) -> Json:
        numbers = self.key.public_key().public_numbers()
        return {
            "keys": [
                {
                    "kty": "RSA",
                    "use": "sig",
                    "alg": "RS256",
                    "kid": self.key_id,
                    "n": _base64_integer(numbers.n),
                    "e": _base64_integer(numbers.e),
                }
            ]
        }

    def configuration(self, issuer_url: str) -> Json:
        return {
            "issuer": issuer_url,
            "jwks_uri": f"{issuer_url}/.well-known/jwks",
            "subject_types_supported": ["public", "pairwise"],
            "response_types_supported": ["id_token"],
            "claims_supported": ["sub", "aud", "exp", "iat", "iss", "jti", "nbf"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "scopes_supported": ["openid"],
        }


def _base64_integer(number: int) -> str:
    size = (number.bit_length() + 7) // 8
    return base64.urlsafe_b64encode(number.to_bytes(size, "big")).rstrip(b"=").decode()
