"""How many bytes the runner of an order has handed in."""

import sqlalchemy as sa
from alembic import op

revision = "m0013"
down_revision = "m0012"


def upgrade() -> None:
    """Orders under way begin at nothing."""
    op.add_column("desk", sa.Column("kept_bytes", sa.BigInteger()))
    op.add_column("desk", sa.Column("bundle_digest", sa.String(64)))
