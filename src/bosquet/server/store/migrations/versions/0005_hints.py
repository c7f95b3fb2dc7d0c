"""Who has agreed to hints, so that it outlives the server and holds on all of several."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Nobody has agreed yet. The version before goes on: it asks anew whenever a table is read."""
    op.add_column("seats", sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Forget it."""
    op.drop_column("seats", "hints")
