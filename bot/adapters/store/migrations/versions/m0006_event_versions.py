"""Events: the version of an event's type. Snapshots: which events their writer could fold."""

import sqlalchemy as sa
from alembic import op

revision = "m0006"
down_revision = "m0005"


def upgrade() -> None:
    """What is there is of the first version; snapshots are taken anew."""
    op.add_column("events", sa.Column("version", sa.Integer, nullable=False, server_default="1"))
    op.add_column("snapshots", sa.Column("known_events", sa.String(16)))
