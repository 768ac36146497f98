"""The first shape of the journal's database."""

import sqlalchemy as sa
from alembic import op

revision = "m0001"
down_revision = None

_Counter = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("repository_id", sa.BigInteger, primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("type", sa.String(60), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "snapshots",
        sa.Column("repository_id", sa.BigInteger, primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("fold_version", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "repository_leases",
        sa.Column("repository_id", sa.BigInteger, primary_key=True),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("holder", sa.String(200), nullable=False),
        sa.Column("until", sa.String(40), nullable=False),
    )
    op.create_table(
        "hints",
        sa.Column("number", _Counter, primary_key=True, autoincrement=True),
        sa.Column("repository_id", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_hints_repository_id", "hints", ["repository_id"])
    op.create_table(
        "wake_ups",
        sa.Column("repository_id", sa.BigInteger, primary_key=True),
        sa.Column("at", sa.String(40), nullable=False),
    )
    op.create_index("ix_wake_ups_at", "wake_ups", ["at"])
    op.create_table(
        "desk",
        sa.Column("repository_id", sa.BigInteger, primary_key=True),
        sa.Column("order_id", sa.String(40), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("workflow_run", sa.BigInteger),
        sa.Column("lease_hash", sa.String(64), unique=True),
        sa.Column("leased_at", sa.String(40)),
        sa.Column("lease_until", sa.String(40)),
        sa.Column("revoked", sa.Boolean, nullable=False),
        sa.Column("report", sa.Text),
        sa.Column("report_digest", sa.String(64)),
    )
