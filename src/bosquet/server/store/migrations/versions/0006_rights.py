"""What a table shows before a move; who agrees to end its game, and who has left it for good."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Tables show what they showed before.

    The version before goes on, and takes a seat that was left for one of a bot. It can't read a game that was ended
    early.
    """
    op.add_column("tables", sa.Column("assistance", sa.String(8), nullable=False, server_default="full"))
    op.add_column("seats", sa.Column("agrees", sa.String(8)))
    op.add_column("seats", sa.Column("left", sa.String(8)))
    op.add_column("seats", sa.Column("left_by", sa.String(64)))
    op.create_index("ix_seats_left_by", "seats", ["left_by"])


def downgrade() -> None:
    """Forget it."""
    op.drop_index("ix_seats_left_by", "seats")
    op.drop_column("seats", "left_by")
    op.drop_column("seats", "left")
    op.drop_column("seats", "agrees")
    op.drop_column("tables", "assistance")
