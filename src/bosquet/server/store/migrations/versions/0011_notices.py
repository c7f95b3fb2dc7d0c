"""Browsers that are told when it is somebody's turn, quiet hours, and notices that are due."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """So far nobody is told anything. The version before goes on; it leaves these tables alone."""
    op.create_table(
        "subscriptions",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("device", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("endpoint", sa.String(1000), nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(32), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("made", sa.String(10), nullable=False),
    )
    op.create_table(
        "notice_settings",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("quiet_start", sa.Integer),
        sa.Column("quiet_end", sa.Integer),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("last_sent", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "notices",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("deadline", sa.BigInteger),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False, index=True),
    )


def downgrade() -> None:
    """Forget it."""
    for table in ("notices", "notice_settings", "subscriptions"):
        op.drop_table(table)
