"""The token with which a run asks the model through this server's gateway.

It names the order that the run holds and is signed, so that the gateway turns strangers away without
asking the database. Whether the run is still at work is looked up for each.
"""

import hashlib
import hmac

from bot.core.values.ids import OrderId, RepositoryId

_PREFIX = "hgm"


def mint_model_token(secret: bytes, repository: RepositoryId, order: OrderId) -> str:
    claim = f"{_PREFIX}.{repository}.{order}"
    return f"{claim}.{_signature(secret, claim)}"


def read_model_token(secret: bytes, token: str) -> tuple[RepositoryId, OrderId] | None:
    """What a token is for; None for one that we did not sign."""
    claim, _, signature = token.rpartition(".")
    if not hmac.compare_digest(_signature(secret, claim).encode(), signature.encode()):
        return None
    _, repository, order = claim.split(".", 2)
    return RepositoryId(int(repository)), OrderId(order)


def _signature(secret: bytes, claim: str) -> str:
    return hmac.new(secret, claim.encode(), hashlib.sha256).hexdigest()
