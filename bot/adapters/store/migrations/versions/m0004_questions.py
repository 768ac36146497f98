"""Questions: who is asking a model what, and what came of it."""

import sqlalchemy as sa
from alembic import op

revision = "m0004"
down_revision = "m0003"


def upgrade() -> None:
    op.create_table(
        "questions",
        sa.Column("repository_id", sa.BigInteger, primary_key=True),
        sa.Column("asking", sa.String(40), primary_key=True),
        sa.Column("holder", sa.String(200), nullable=False),
        sa.Column("until", sa.String(40), nullable=False),
        sa.Column("reply", sa.Text),
    )
