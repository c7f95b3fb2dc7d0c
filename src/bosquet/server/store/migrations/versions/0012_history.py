"""The results of finished games, for the history of those who played; whether hints were given, and a bot stood in."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Results of games that are over by now are filled in later, a few at a time.

    The version before goes on; the results of games that end there are filled in, too.
    """
    op.create_table(
        "finished",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("assistance", sa.String(8), nullable=False),
        sa.Column("duel", sa.Integer),
        sa.Column("how", sa.String(8)),
        sa.Column("hinted", sa.Boolean),
        sa.Column("started", sa.String(32)),
        sa.Column("ended", sa.String(32), nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("finished.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("guest", sa.String(64)),
        sa.Column("name", sa.String(32)),
        sa.Column("bot", sa.String(32)),
        sa.Column("program", sa.Boolean, nullable=False),
        sa.Column("again", sa.Boolean, nullable=False),
        sa.Column("stood_in", sa.Boolean, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("ended", sa.String(32), nullable=False),
        sa.Column("whole", sa.Boolean, nullable=False),
        sa.Column("outcome", sa.String(8), nullable=False),
        sa.Column("score", sa.Integer),
        sa.Column("place", sa.Integer),
        sa.Column("cost", sa.Float),
        sa.Column("decisions", sa.Integer),
    )
    op.create_index("ix_results_guest_ended", "results", ["guest", "ended", "table_id"])
    op.create_index("ix_results_guest_game_ended", "results", ["guest", "game", "ended", "table_id"])
    op.add_column("tables", sa.Column("hinted", sa.Boolean))
    op.add_column("seats", sa.Column("stood_in", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Forget it."""
    op.drop_column("seats", "stood_in")
    op.drop_column("tables", "hinted")
    op.drop_index("ix_results_guest_game_ended", "results")
    op.drop_index("ix_results_guest_ended", "results")
    op.drop_table("results")
    op.drop_table("finished")
