"""GitHub's OIDC tokens: checks signature, issuer, audience and time.

The algorithm is fixed to RS256; keys come only from the configured issuer and are cached by PyJWT.
A token is good for one lease, because an order is leased once.
"""

import threading
import time
from collections.abc import Mapping, Sequence

import jwt

from bot.entry.settings import Settings
from bot.ports import Clock
from bot.shell.orders import RefusalKind, Refused, RunnerClaims, read_claims

# GitHub's clock and ours may differ by this much.
_SKEW_SECONDS = 60.0
# The year 9999.
_LATEST = 253_402_300_800
# A new key is found within this time, also while somebody sends tokens of keys that do not exist.
_ASKING_AGAIN_SECONDS = 10.0


class OidcVerifier:
    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._clock = clock
        self._issuer = settings.oidc_issuer.rstrip("/")
        self._audience = settings.public_url.rstrip("/")
        self._lock = threading.Lock()
        self._asked_again = -_ASKING_AGAIN_SECONDS
        self._keys = jwt.PyJWKClient(f"{self._issuer}/.well-known/jwks", timeout=10)

    def claims(self, token: str) -> RunnerClaims:
        """The claims of a valid token; raises `Refused` for any other."""
        try:
            key = self._key_of(token)
            claims = jwt.decode(
                token,
                key.key,
                algorithms=["RS256"],
                audience=self._audience,
                issuer=self._issuer,
                # The time is checked below, by the program's own clock.
                options={
                    "require": ["exp", "iat", "aud", "iss"],
                    **{"verify_exp": False, "verify_iat": False, "verify_nbf": False},
                    # GitHub names one; a token for several is somebody else's as well.
                    "strict_aud": True,
                },
            )
            self._check_time(claims)
            return read_claims(claims)
        except (jwt.PyJWTError, ValueError) as problem:
            raise Refused(
                RefusalKind.UNAUTHORISED, f"The OIDC token is not valid: {problem}."
            ) from problem

    def _key_of(self, token: str) -> jwt.PyJWK:
        """The issuer is asked again for a key that it did not name, but not by every stranger."""
        name = jwt.get_unverified_header(token).get("kid")
        found = _named(self._keys.get_signing_keys(), name)
        if found is None:
            with self._lock:
                now = time.monotonic()
                is_fresh = now < self._asked_again + _ASKING_AGAIN_SECONDS
                if not is_fresh:
                    self._asked_again = now
            found = _named(self._keys.get_signing_keys(refresh=not is_fresh), name)
        if found is None:
            raise jwt.InvalidKeyError("it is signed with a key that the issuer does not list")
        return found

    def _check_time(self, claims: Mapping[str, object]) -> None:
        now = self._clock.now().timestamp()
        begins = max(_seconds(claims, "iat"), _seconds(claims, "nbf", 0.0))
        if now < begins - _SKEW_SECONDS:
            raise jwt.ImmatureSignatureError("it is not valid yet")
        if now >= _seconds(claims, "exp") + _SKEW_SECONDS:
            raise jwt.ExpiredSignatureError("it has expired")


def _named(keys: Sequence[jwt.PyJWK], name: object) -> jwt.PyJWK | None:
    return next((key for key in keys if key.key_id == name), None)


def _seconds(claims: Mapping[str, object], name: str, default: float | None = None) -> float:
    value = claims.get(name, default)
    # The comparison leaves out NaN and infinity, which Python reads in JSON.
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _LATEST:
        return float(value)
    raise jwt.DecodeError(f"{name} is not a time")
