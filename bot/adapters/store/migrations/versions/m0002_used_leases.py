"""When a lease was first used: until then its order may be given to the same run again."""

import sqlalchemy as sa
from alembic import op

revision = "m0002"
down_revision = "m0001"


def upgrade() -> None:
    """Leases that are there already count as used: they are not given out a second time."""
    op.add_column("desk", sa.Column("used_at", sa.String(40)))
    op.execute("UPDATE desk SET used_at = leased_at WHERE leased_at IS NOT NULL")
