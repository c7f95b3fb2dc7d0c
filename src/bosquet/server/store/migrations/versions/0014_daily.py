"""Deals of the day: who tried which, what it came to, and where bots came out."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Tables that were opened before are no deals of a day."""
    op.add_column("tables", sa.Column("daily", sa.String(10)))
    op.create_table(
        "daily_attempts",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), nullable=False, unique=True),
    )
    op.create_index("ix_daily_attempts_guest_day", "daily_attempts", ["guest", "day"])
    op.create_table(
        "daily_results",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(32)),
        sa.Column("value", sa.Integer),
        sa.Column("points", sa.Integer),
        sa.Column("against", sa.Integer),
        sa.Column("whole", sa.Boolean, nullable=False),
        sa.Column("ranked", sa.Boolean, nullable=False),
        sa.Column("first", sa.Boolean, nullable=False),
        sa.Column("ended", sa.String(32), nullable=False),
    )
    ranking = ["day", "game", "ranked", "value", "ended", "table_id"]
    op.create_index("ix_daily_results_ranking", "daily_results", ranking)
    op.create_index("ix_daily_results_guest_day", "daily_results", ["guest", "day"])
    op.create_table(
        "daily_bots",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("bot", sa.String(32), primary_key=True),
        sa.Column("claimed", sa.BigInteger, nullable=False),
        sa.Column("value", sa.Integer),
        sa.Column("points", sa.Integer),
        sa.Column("against", sa.Integer),
    )


def downgrade() -> None:
    """Forget it."""
    for table in ("daily_bots", "daily_results", "daily_attempts"):
        op.drop_table(table)
    op.drop_column("tables", "daily")
