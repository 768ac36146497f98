"""The workflow file that may hold an order's lease."""

import sqlalchemy as sa
from alembic import op

revision = "m0014"
down_revision = "m0013"


def upgrade() -> None:
    """For orders under way the journal says that nobody looked."""
    op.add_column("desk", sa.Column("workflow_file", sa.Text()))
