"""The tables of the database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

NO_JSON = object()
"""Stands for a value that is no JSON."""


class StoredJson(sa.TypeDecorator[Any]):
    """JSON. A value that is none is read as `NO_JSON`, so that it does not hide the rows beside it."""

    impl = sa.JSON
    cache_ok = True

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> Callable[[Any], Any]:
        """Return the function that reads a value."""
        process = super().result_processor(dialect, coltype)

        def read(value: Any) -> Any:
            try:
                return value if process is None else process(value)
            except ValueError:
                return NO_JSON

        return read


metadata: sa.MetaData = sa.MetaData()

tables: sa.Table = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("options", StoredJson, nullable=False),
    sa.Column("box", StoredJson),
    sa.Column("phase", sa.String(8), nullable=False, index=True),
    sa.Column("first", sa.String(8), nullable=False, server_default="lot"),
    sa.Column("pace", sa.String(8), nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("watched", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("invitation", sa.String(64), nullable=False),
    sa.Column("secret", sa.String(64), nullable=False),
    sa.Column("host", sa.String(64)),
    sa.Column("turn", sa.Integer),
    sa.Column("result", StoredJson),
    sa.Column("rematch", sa.String(32)),
    sa.Column("previous", sa.String(32)),
    sa.Column("duel", StoredJson),
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
    sa.Column("clock", StoredJson),
    sa.Column("times", StoredJson),
    sa.Column("since", sa.String(32), index=True),
    sa.Column("hinted", sa.Boolean),
    sa.Column("daily", sa.String(10)),
    sa.Column("barred", sa.String(1000), nullable=False, server_default=""),
    sa.Column("chat", sa.Integer, nullable=False, server_default="0"),
    sa.Index("ix_tables_phase_touched", "phase", "touched"),
)
seats: sa.Table = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
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
journal: sa.Table = sa.Table(
    "journal",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("text", sa.String(400), nullable=False),
)
packed: sa.Table = sa.Table(
    "packed",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("entries", sa.LargeBinary, nullable=False),
)
"""The journals of games that were over long ago, each as one value, in the place of their rows."""
devices: sa.Table = sa.Table(
    "devices",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("browser", sa.String(16)),
    sa.Column("system", sa.String(16)),
    sa.Column("first_day", sa.String(10), nullable=False),
    sa.Column("last_day", sa.String(10), nullable=False, index=True),
    sa.Column("revoked", sa.String(10)),
)
"""The devices of those guests who have looked after them, and marks of guests who were erased; see
`guests/devices.py`."""
transfers: sa.Table = sa.Table(
    "transfers",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),
    sa.Column("device", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False, index=True),
    sa.Column("claimed", sa.BigInteger),
)
"""The last code of each guest: the device that made it, until when it counts, and the device that came by it."""
phrases: sa.Table = sa.Table(
    "phrases",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),
    sa.Column("device", sa.BigInteger, nullable=False),
    sa.Column("made", sa.String(10), nullable=False),
)
"""The recovery phrase of each guest who has one: its slow hash, and the device that made it."""
identities: sa.Table = sa.Table(
    "identities",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("name", sa.String(32), nullable=False),
)
"""What a guest is called on all its devices."""
subscriptions: sa.Table = sa.Table(
    "subscriptions",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("device", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),
    sa.Column("endpoint", sa.String(1000), nullable=False),
    sa.Column("p256dh", sa.String(100), nullable=False),
    sa.Column("auth", sa.String(32), nullable=False),
    sa.Column("language", sa.String(2), nullable=False),
    sa.Column("made", sa.String(10), nullable=False),
)
"""The devices that get notices: where their push service is, and the keys by which only they read them."""
notice_settings: sa.Table = sa.Table(
    "notice_settings",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("quiet_start", sa.Integer),
    sa.Column("quiet_end", sa.Integer),
    sa.Column("zone", sa.String(64), nullable=False),
    sa.Column("last_sent", sa.BigInteger, nullable=False),
)
"""The quiet hours of each guest who gets notices, and when the last one was sent."""
notices: sa.Table = sa.Table(
    "notices",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("deadline", sa.BigInteger),
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("due", sa.BigInteger, nullable=False, index=True),
    sa.Column("kind", sa.String(8), nullable=False, server_default="turn"),
)
"""What guests are still to be told: at which tables it is their turn, since when, and when they are told. A `reminder`
says so again, and `stood in` that a bot has played."""
mail_addresses: sa.Table = sa.Table(
    "mail_addresses",
    metadata,
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
"""Where guests want notices mailed, and which device has said so: `waiting` for a code of which the digest is kept,
`confirmed`, or `refused`."""
mail_counts: sa.Table = sa.Table(
    "mail_counts",
    metadata,
    sa.Column("whose", sa.String(80), primary_key=True),
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("mails", sa.Integer, nullable=False),
    sa.Index("ix_mail_counts_day", "day"),
)
"""How many mails to confirm an address were sent on a day: for a guest, to an address, and in all."""
finished: sa.Table = sa.Table(
    "finished",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("options", StoredJson, nullable=False),
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
"""Games that are over, under the id of their table, which may be deleted by now; see `table/results.py`."""
results: sa.Table = sa.Table(
    "results",
    metadata,
    sa.Column("table_id", sa.ForeignKey("finished.id"), primary_key=True),
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
"""What each seat of those games came to. Of a person whose guest was erased, guest and name are missing."""
brought: sa.Table = sa.Table(
    "brought",
    metadata,
    sa.Column("table_id", sa.ForeignKey("finished.id"), primary_key=True),
    sa.Column("day", sa.String(10), nullable=False, index=True),
    sa.Column("record", sa.LargeBinary, nullable=False),
)
"""The records, compressed, of those games that a guest has played on a device without a server, and the day on which
the guest has brought each of them here; there is no table of them."""
puzzle_results: sa.Table = sa.Table(
    "puzzle_results",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("grade", sa.String(16), primary_key=True),
    sa.Column("solved", sa.Boolean, nullable=False),
    sa.Column("on_day", sa.Boolean, nullable=False),
    sa.Index("ix_puzzle_results_puzzle", "game", "day", "grade", "solved"),
    sa.Index("ix_puzzle_results_day", "day"),
)
"""The first answer of each guest to the puzzles of a day, as its page judged it, and whether it was given that day."""

rating_wishes: sa.Table = sa.Table(
    "rating_wishes",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("since", sa.String(32), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
)
"""The guests who want ratings: since when, and how often these were written."""
ratings: sa.Table = sa.Table(
    "ratings",
    metadata,
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
"""The rating of each of them in each game, as it was when the last rated game ended; see `history/ratings.py`."""
rating_changes: sa.Table = sa.Table(
    "rating_changes",
    metadata,
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
"""What each rated game changed: the rating after it, and which of the guest's games it was, the first is 1."""
daily_attempts: sa.Table = sa.Table(
    "daily_attempts",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False, unique=True),
    sa.Index("ix_daily_attempts_guest_day", "guest", "day"),
)
"""The one attempt of each guest at the deal of a day and game, and its table; see `today/daily_results.py`."""
daily_results: sa.Table = sa.Table(
    "daily_results",
    metadata,
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
    sa.Index("ix_daily_results_ranking", "day", "game", "ranked", "value", "ended", "table_id"),
    sa.Index("ix_daily_results_guest_day", "guest", "day"),
)
"""What those attempts came to that are over. `value` is what is ranked; None of one that was given up."""
daily_bots: sa.Table = sa.Table(
    "daily_bots",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("bot", sa.String(32), primary_key=True),
    sa.Column("claimed", sa.BigInteger, nullable=False),
    sa.Column("value", sa.Integer),
    sa.Column("points", sa.Integer),
    sa.Column("against", sa.Integer),
)
"""Where bots came out on the deals of days; without a value while a node works it out, since `claimed`."""
fellows: sa.Table = sa.Table(
    "fellows",
    metadata,
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("other", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(16), nullable=False, unique=True),
    sa.Column("blocked", sa.Boolean, nullable=False),
    sa.Index("ix_fellows_other", "other", "blocked"),
)
"""The people with whom an owner has played, as the owner was told of them: by an id for these two alone; see
`guests/people.py`."""
invitations: sa.Table = sa.Table(
    "invitations",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("host", sa.String(64), nullable=False),
    sa.Column("made", sa.BigInteger, nullable=False),
    sa.Column("declined", sa.Boolean, nullable=False),
    sa.Index("ix_invitations_host_made", "host", "made"),
    sa.Index("ix_invitations_made", "made"),
)
"""Who was invited to a table by its host, and when; see `lobby/invitations.py`."""

chat: sa.Table = sa.Table(
    "chat",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("guest", sa.String(64), nullable=False, index=True),
    sa.Column("name", sa.String(32), nullable=False),
    sa.Column("text", sa.String(200), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)
"""What the people at a table have written to each other; see `table/chat.py`."""
reports: sa.Table = sa.Table(
    "reports",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("guest", sa.String(64)),
    sa.Column("reporter", sa.String(64)),
    sa.Column("name", sa.String(32), nullable=False),
    sa.Column("text", sa.String(200), nullable=False),
    sa.Column("made", sa.String(10), nullable=False),
    sa.Index("ix_reports_reporter_made", "reporter", "made"),
    sa.Index("ix_reports_made", "made"),
)
"""Lines of the chat that were reported to the operator of the server, kept longer than their table may be."""

shown: sa.Table = sa.Table("shown", metadata, sa.Column("guest", sa.String(64), primary_key=True))
"""The guests who let their fellow players see that they are here; see `guests/here_now.py`."""

vacations: sa.Table = sa.Table(
    "vacations",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("start", sa.String(32), nullable=False),
    sa.Column("until", sa.String(32), nullable=False, index=True),
)
"""From when until when guests were on vacation, or are; see `guests/vacations.py`."""

reviews: sa.Table = sa.Table(
    "reviews",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("guest", sa.String(64), nullable=False, index=True),
    sa.Column("opened", sa.String(10), nullable=False, index=True),
    sa.Column("record", sa.LargeBinary, nullable=False),
    sa.Column("place", sa.LargeBinary),
)
"""Finished games that people look at together, who has opened each, and what was shown last; see `reviews/kept.py`."""

clock: sa.Table = sa.Table(
    "clock",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("since", sa.String(10), nullable=False),
)
"""One row: the day that the clock showed last, and since which one it has not leaped; see `store/clock_leaps.py`."""

awake: sa.Table = sa.Table(
    "awake",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.String(32), nullable=False),
)
"""One row: when a node was there last while the clock of a seat ran; see `tables/outages.py`."""
