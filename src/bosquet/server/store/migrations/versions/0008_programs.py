"""Whether a program of a guest plays on a seat."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """So far only people play. The version before goes on, and takes programs for people."""
    op.add_column("seats", sa.Column("program", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Forget it."""
    op.drop_column("seats", "program")
