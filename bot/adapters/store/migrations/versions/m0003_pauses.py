"""Pauses: for whom GitHub is to be asked nothing, and until when."""

import sqlalchemy as sa
from alembic import op

revision = "m0003"
down_revision = "m0002"


def upgrade() -> None:
    op.create_table(
        "pauses",
        sa.Column("whom", sa.String(80), primary_key=True),
        sa.Column("until", sa.String(40), nullable=False),
    )
