"""What tables and the protocol below them agree on about WebSockets: close codes, and a shorter way to send."""

from __future__ import annotations

NORMAL_CLOSURE = 1000
ABNORMAL_CLOSURE = 1006
INVALID_TEXT = 1007
POLICY_VIOLATION = 1008
SERVICE_RESTART = 1012
TRY_AGAIN_LATER = 1013
NORMAL_DISCONNECT = (NORMAL_CLOSURE, 1001, 1005)
"""Close codes of a normal disconnect: closed, going away, and none given. With any other the connection was lost."""
SEND_NOW = "bosquet.send_now"
"""Name of `BoundedWebSocket.send_now` in the state of a WebSocket's scope."""
