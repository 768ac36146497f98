"""Repositories: a row for each that has a journal; `engine.migrate` fills it."""

import sqlalchemy as sa
from alembic import op

revision = "m0007"
down_revision = "m0006"


def upgrade() -> None:
    op.create_table(
        "repositories",
        sa.Column("repository_id", sa.BigInteger, primary_key=True),
        sa.Column("folding_until", sa.String(40)),
        sa.Column("stirred", sa.BigInteger, nullable=False, server_default="0"),
    )
