"""The wing of notices, as the application collects it."""

from __future__ import annotations

import functools
from typing import Any

from bosquet.server.base.wing import Wing
from bosquet.server.notices.clean_up import NoticeRetention, clean_up
from bosquet.server.notices.mail_requests import MailRequests
from bosquet.server.notices.notice_requests import NoticeRequests
from bosquet.server.notices.notices import Notices
from bosquet.server.notices.sender import Sender
from bosquet.server.notices.turn_notices import TurnNotices
from bosquet.server.store.store import Store


def notice_wing(
    store: Store,
    notices: Notices,
    turn_notices: TurnNotices,
    requests: NoticeRequests,
    mail: MailRequests,
    retention: NoticeRetention,
) -> Wing:
    """Return what the wing hands over."""

    async def kept(guest: str, device: int) -> dict[str, Any]:
        return {"notices": await notices.kept(guest, device)}

    return Wing(
        [*requests.routes(), *mail.routes()],
        kept,
        notices.erase,
        functools.partial(clean_up, store, retention),
        (Sender(notices).sending, turn_notices.passing_on),
    )
