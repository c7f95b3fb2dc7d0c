"""What people at tables write to each other, and what of it was reported."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """So far nobody wrote anything, and nobody at the tables that are there has agreed to it."""
    op.add_column("tables", sa.Column("chat", sa.Integer, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("chat", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "chat",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("guest", sa.String(64), nullable=False),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_index("ix_chat_guest", "chat", ["guest"])
    op.create_table(
        "reports",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("guest", sa.String(64)),
        sa.Column("reporter", sa.String(64)),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("made", sa.String(10), nullable=False),
    )
    op.create_index("ix_reports_reporter_made", "reports", ["reporter", "made"])
    op.create_index("ix_reports_made", "reports", ["made"])


def downgrade() -> None:
    """Forget it."""
    for table in ("reports", "chat"):
        op.drop_table(table)
    for table in ("seats", "tables"):
        op.drop_column(table, "chat")
