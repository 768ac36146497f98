"""Bundles and reports of servers with a database of their own."""

import sqlalchemy as sa
from alembic import op

revision = "m0011"
down_revision = "m0009"


def upgrade() -> None:
    """An empty table; what is in a folder stays there and is found."""
    op.create_table(
        "blob_parts",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
