"""The people with whom a guest has played."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0015"


def upgrade() -> None:
    """So far nobody has been listed or blocked. The version before goes on; it leaves this table alone."""
    op.create_table(
        "fellows",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("other", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(16), nullable=False, unique=True),
        sa.Column("blocked", sa.Boolean, nullable=False),
    )
    op.create_index("ix_fellows_other", "fellows", ["other", "blocked"])


def downgrade() -> None:
    """Forget them."""
    op.drop_table("fellows")
