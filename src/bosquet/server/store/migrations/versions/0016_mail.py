"""Addresses to which notices are mailed, and how many mails were sent to confirm some."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """So far nobody has given one. The version before goes on; it leaves these tables alone."""
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
    )
    op.create_index("ix_mail_counts_day", "mail_counts", ["day"])


def downgrade() -> None:
    """Forget them."""
    for table in ("mail_counts", "mail_addresses"):
        op.drop_table(table)
