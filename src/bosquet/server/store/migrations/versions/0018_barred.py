"""Whom the host of a table has sent away."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """So far nobody was. The version before goes on, and lets in whoever comes."""
    op.add_column("tables", sa.Column("barred", sa.String(1000), nullable=False, server_default=""))


def downgrade() -> None:
    """Forget it."""
    op.drop_column("tables", "barred")
