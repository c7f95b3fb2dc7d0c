"""Notices of more than turns: that a deadline is near, and that a bot has played."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """So far all were of turns and invitations. The version before goes on, and says of each that it is a turn."""
    op.add_column("notices", sa.Column("kind", sa.String(8), nullable=False, server_default="turn"))


def downgrade() -> None:
    """Forget it."""
    op.drop_column("notices", "kind")
