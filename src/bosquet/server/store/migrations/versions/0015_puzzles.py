"""The first answers of guests to the puzzles of the days."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """So far nobody has answered any. The version before goes on; it leaves this table alone."""
    op.create_table(
        "puzzle_results",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("on_day", sa.Boolean, nullable=False),
    )
    op.create_index("ix_puzzle_results_game_day", "puzzle_results", ["game", "day"])
    op.create_index("ix_puzzle_results_day", "puzzle_results", ["day"])


def downgrade() -> None:
    """Forget them."""
    op.drop_table("puzzle_results")
