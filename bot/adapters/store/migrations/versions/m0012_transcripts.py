"""What runs do while they work, and what people tell them."""

import sqlalchemy as sa
from alembic import op

revision = "m0012"
down_revision = "m0011"

_COLUMNS = (
    ("told", sa.Text()),
    ("doing", sa.Text()),
    ("shown_at", sa.String(40)),
    ("shown", sa.String(64)),
)


def upgrade() -> None:
    for name, kind in _COLUMNS:
        op.add_column("desk", sa.Column(name, kind))
    op.create_table(
        "transcripts",
        sa.Column("repository_id", sa.BigInteger, primary_key=True),
        sa.Column("order_id", sa.String(40), primary_key=True),
        sa.Column("first", sa.Integer, primary_key=True),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
    )
    op.create_index("ix_transcripts_at", "transcripts", ["at"])
