"""The tables of version 0.1.0."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them. A new database gets the present tables at once (`schema.migrate`)."""
    op.create_table(
        "vacations",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("start", sa.String(32), nullable=False),
        sa.Column("until", sa.String(32), nullable=False, index=True),
    )
    op.create_table(
        "awake",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_table(
        "clock",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("since", sa.String(10), nullable=False),
    )
    op.create_table(
        "daily_attempts",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), nullable=False, unique=True),
        sa.Index("ix_daily_attempts_guest_day", "guest", "day"),
    )
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
        sa.Index("ix_daily_results_guest_day", "guest", "day"),
        sa.Index("ix_daily_results_ranking", "day", "game", "ranked", "value", "ended", "table_id"),
    )
    op.create_table(
        "devices",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("browser", sa.String(16)),
        sa.Column("system", sa.String(16)),
        sa.Column("first_day", sa.String(10), nullable=False),
        sa.Column("last_day", sa.String(10), nullable=False, index=True),
        sa.Column("revoked", sa.String(10)),
    )
    op.create_table(
        "fellows",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("other", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(16), nullable=False, unique=True),
        sa.Column("blocked", sa.Boolean, nullable=False),
        sa.Index("ix_fellows_other", "other", "blocked"),
    )
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
        sa.Column("moves", sa.Integer),
        sa.Column("own_box", sa.Boolean),
        sa.Column("rated", sa.String(8)),
        sa.Index("ix_finished_rated_ended", "rated", "ended", "id"),
    )
    op.create_table(
        "identities",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(32), nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("declined", sa.Boolean, nullable=False),
        sa.Index("ix_invitations_host_made", "host", "made"),
        sa.Index("ix_invitations_made", "made"),
    )
    op.create_table(
        "mail_addresses",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("device", sa.BigInteger, nullable=False),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("since", sa.String(10), nullable=False),
        sa.Column("digest", sa.String(64), unique=True),
        sa.Column("expires", sa.BigInteger, index=True),
        sa.Column("stop", sa.String(32), nullable=False, unique=True),
    )
    op.create_table(
        "mail_counts",
        sa.Column("whose", sa.String(80), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("mails", sa.Integer, nullable=False),
        sa.Index("ix_mail_counts_day", "day"),
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
        sa.Column("kind", sa.String(8), nullable=False, server_default="turn"),
    )
    op.create_table(
        "phrases",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("device", sa.BigInteger, nullable=False),
        sa.Column("made", sa.String(10), nullable=False),
    )
    op.create_table(
        "puzzle_results",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("grade", sa.String(16), primary_key=True),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("on_day", sa.Boolean, nullable=False),
        sa.Index("ix_puzzle_results_day", "day"),
        sa.Index("ix_puzzle_results_puzzle", "game", "day", "grade", "solved"),
    )
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
        sa.Index("ix_rating_changes_guest_game_number", "guest", "game", "number"),
    )
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
        sa.Column("levels_mu", sa.Float),
        sa.Column("levels_sigma", sa.Float),
        sa.Column("listed", sa.Float),
        sa.Column("listed_until", sa.String(10)),
        sa.Column("name", sa.String(32)),
        sa.Index("ix_ratings_game_mu", "game", "mu"),
    )
    op.create_table(
        "reports",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("guest", sa.String(64)),
        sa.Column("reporter", sa.String(64)),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("made", sa.String(10), nullable=False),
        sa.Index("ix_reports_made", "made"),
        sa.Index("ix_reports_reporter_made", "reporter", "made"),
    )
    op.create_table(
        "reviews",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("guest", sa.String(64), nullable=False, index=True),
        sa.Column("opened", sa.String(10), nullable=False, index=True),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sa.Column("place", sa.LargeBinary),
    )
    op.create_table(
        "shown",
        sa.Column("guest", sa.String(64), primary_key=True),
    )
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
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("box", sa.JSON),
        sa.Column("phase", sa.String(8), nullable=False, index=True),
        sa.Column("first", sa.String(8), nullable=False, server_default="lot"),
        sa.Column("pace", sa.String(8), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("watched", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("invitation", sa.String(64), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("host", sa.String(64)),
        sa.Column("turn", sa.Integer),
        sa.Column("result", sa.JSON),
        sa.Column("rematch", sa.String(32)),
        sa.Column("previous", sa.String(32)),
        sa.Column("duel", sa.JSON),
        sa.Column("opened", sa.String(32), nullable=False, index=True),
        sa.Column("started", sa.String(32)),
        sa.Column("ended", sa.String(32)),
        sa.Column("touched", sa.String(10)),
        sa.Column("assistance", sa.String(8), nullable=False, server_default="full"),
        sa.Column("turn_days", sa.Integer),
        sa.Column("late_bot", sa.String(32)),
        sa.Column("late_until_back", sa.Boolean),
        sa.Column("deadline", sa.String(32)),
        sa.Column("due", sa.String(32), index=True),
        sa.Column("clock", sa.JSON),
        sa.Column("times", sa.JSON),
        sa.Column("since", sa.String(32), index=True),
        sa.Column("hinted", sa.Boolean),
        sa.Column("daily", sa.String(10)),
        sa.Column("barred", sa.String(1000), nullable=False, server_default=""),
        sa.Column("chat", sa.Integer, nullable=False, server_default="0"),
        sa.Index("ix_tables_phase_touched", "phase", "touched"),
    )
    op.create_table(
        "transfers",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("device", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False, index=True),
        sa.Column("claimed", sa.BigInteger),
    )
    op.create_table(
        "brought",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("finished.id"), primary_key=True),
        sa.Column("day", sa.String(10), nullable=False, index=True),
        sa.Column("record", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "chat",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("guest", sa.String(64), nullable=False, index=True),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_table(
        "journal",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("text", sa.String(400), nullable=False),
    )
    op.create_table(
        "packed",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("entries", sa.LargeBinary, nullable=False),
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
        sa.Index("ix_results_guest_ended", "guest", "ended", "table_id"),
        sa.Index("ix_results_guest_game_ended", "guest", "game", "ended", "table_id"),
    )
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("bot", sa.String(32)),
        sa.Column("name", sa.String(32)),
        sa.Column("guest", sa.String(64), index=True),
        sa.Column("nonce", sa.String(32)),
        sa.Column("shelved", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("program", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("agrees", sa.String(8)),
        sa.Column("left", sa.String(8)),
        sa.Column("left_by", sa.String(64), index=True),
        sa.Column("stood_in", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("chat", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("away", sa.String(32)),
    )
