"""GitHub's OIDC tokens: signature, issuer, audience and time checked; claims handed on.

The algorithm is fixed to RS256, the keys come from the configured issuer alone and are kept by
PyJWT. A token is good for one lease because an order is (the desk gives it out once).
"""

import jwt

from bot.entry.settings import Settings
from bot.shell.orders import RefusalKind, Refused, RunnerClaims, read_claims


class OidcVerifier:
    """Verifies tokens of one issuer for one audience, which is our public URL."""

    def __init__(self, settings: Settings) -> None:
        self._issuer = settings.oidc_issuer.rstrip("/")
        self._audience = settings.public_url.rstrip("/")
        self._keys = jwt.PyJWKClient(f"{self._issuer}/.well-known/jwks", timeout=10)

    def claims(self, token: str) -> RunnerClaims:
        """The claims of a valid token; raises `Refused` for any other."""
        try:
            key = self._keys.get_signing_key_from_jwt(token)
            claims = jwt.decode(
                token,
                key.key,
                algorithms=["RS256"],
                audience=self._audience,
                issuer=self._issuer,
                options={"require": ["exp", "iat", "aud", "iss"]},
            )
            return read_claims(claims)
        except (jwt.PyJWTError, ValueError) as problem:
            raise Refused(
                RefusalKind.UNAUTHORISED, f"The OIDC token is not good: {problem}."
            ) from problem
