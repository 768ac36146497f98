"""What was read of pulls, by content."""

import sqlalchemy as sa
from alembic import op

revision = "m0009"
down_revision = "m0008"


def upgrade() -> None:
    op.create_table(
        "readings",
        sa.Column("key", sa.String(100), primary_key=True),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary),
    )
