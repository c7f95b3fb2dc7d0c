"""The people with whom a guest has played, and invitations to tables among them."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """So far nobody was listed, blocked or invited. The version before goes on; it leaves these tables alone."""
    op.create_table(
        "fellows",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("other", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(16), nullable=False, unique=True),
        sa.Column("blocked", sa.Boolean, nullable=False),
    )
    op.create_index("ix_fellows_other", "fellows", ["other", "blocked"])
    op.create_table(
        "invitations",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("declined", sa.Boolean, nullable=False),
    )
    op.create_index("ix_invitations_host_made", "invitations", ["host", "made"])
    op.create_index("ix_invitations_made", "invitations", ["made"])


def downgrade() -> None:
    """Forget them."""
    for table in ("invitations", "fellows"):
        op.drop_table(table)
