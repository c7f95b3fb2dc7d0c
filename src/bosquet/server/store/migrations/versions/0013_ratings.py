"""Ratings of the guests who want one, and which finished games were looked at for them."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Games that are over by now change no rating: nobody wanted one when they began.

    The version before goes on; games that end there change no rating either, since it does not say whose box they had.
    """
    op.add_column("finished", sa.Column("moves", sa.Integer))
    op.add_column("finished", sa.Column("own_box", sa.Boolean))
    op.add_column("finished", sa.Column("rated", sa.String(8)))
    op.execute(sa.text("UPDATE finished SET rated = 'before'"))
    op.create_index("ix_finished_rated_ended", "finished", ["rated", "ended", "id"])
    op.create_table(
        "rating_wishes",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("since", sa.String(32), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("ended", sa.String(32), nullable=False),
        sa.Column("listed_until", sa.String(10)),
        sa.Column("name", sa.String(32)),
    )
    op.create_index("ix_ratings_game_mu", "ratings", ["game", "mu"])
    op.create_table(
        "rating_changes",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("ended", sa.String(32), nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("change", sa.Float, nullable=False),
        sa.Column("weight", sa.Float, nullable=False),
    )
    op.create_index("ix_rating_changes_guest_game_number", "rating_changes", ["guest", "game", "number"])


def downgrade() -> None:
    """Forget it."""
    op.drop_index("ix_rating_changes_guest_game_number", "rating_changes")
    op.drop_table("rating_changes")
    op.drop_index("ix_ratings_game_mu", "ratings")
    op.drop_table("ratings")
    op.drop_table("rating_wishes")
    op.drop_index("ix_finished_rated_ended", "finished")
    for column in ("rated", "own_box", "moves"):
        op.drop_column("finished", column)
