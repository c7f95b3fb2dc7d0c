"""Which game of a duel a table is, and what came before."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """All games so far are games of their own. The version before goes on, and plays a duel as single games."""
    op.add_column("tables", sa.Column("duel", sa.JSON))


def downgrade() -> None:
    """Forget it."""
    op.drop_column("tables", "duel")
