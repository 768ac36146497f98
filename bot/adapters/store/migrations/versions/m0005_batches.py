"""Questions: the batch in which one is being asked."""

import sqlalchemy as sa
from alembic import op

revision = "m0005"
down_revision = "m0004"


def upgrade() -> None:
    op.add_column("questions", sa.Column("batch", sa.Text))
