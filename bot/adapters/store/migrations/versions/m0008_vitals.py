"""Vitals: when each process was last alive, and what all have counted."""

import sqlalchemy as sa
from alembic import op

revision = "m0008"
down_revision = "m0007"


def upgrade() -> None:
    op.create_table(
        "pulses",
        sa.Column("process", sa.String(200), primary_key=True),
        sa.Column("part", sa.String(40), nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("says", sa.Text, nullable=False),
    )
    op.create_table(
        "counts",
        sa.Column("name", sa.String(60), primary_key=True),
        sa.Column("labels", sa.Text, primary_key=True),
        sa.Column("amount", sa.Float, nullable=False),
    )
