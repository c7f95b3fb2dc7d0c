"""Invitations at two nodes with PostgreSQL: made at one, found and accepted at the other, told once."""

from __future__ import annotations

import asyncio

import pytest

from bosquet.server.base.refusals import Refusal
from bosquet.server.guests import people
from bosquet.server.http.server import Server
from bosquet.server.lobby import invitations
from bosquet.server.table.actions.agree import Agree
from bosquet.server.table.actions.join import Join
from bosquet.server.table.messages import NewTable, SeatWish
from tests.helpers.services import LEAVES_CONNECTIONS
from tests.nodes.helpers.cluster import FOR_TWO, Ear, Services, seated, until, with_two_nodes

pytestmark = [pytest.mark.slow, *LEAVES_CONNECTIONS]
FOR_THREE = NewTable(
    game="topas",
    options={"players": 3},
    seats=[SeatWish(kind="me", name="Ann"), SeatWish(kind="friend"), SeatWish(kind="friend")],
    pace="instant",
)


async def fellow_players(first: Server, second: Server) -> str:
    """Let Ann and Bea end a game; return the id that Bea has in Ann's list."""
    here, there, ann, bea = await seated(first, second)
    await here.do("ann", Agree("end"))
    await there.do("bea", Agree("end"))
    await until(lambda: ann.state["phase"] == bea.state["phase"] == "over")
    (person,) = (await people.listed(second.services.store, "ann")).people
    return person.id


def test_who_is_invited_at_one_node_sits_down_at_the_other(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        bea = await fellow_players(first, second)
        here = await first.opener.open("ann", FOR_TWO)
        ann = Ear("ann")
        await here.attach(ann)
        assert await invitations.invite(first.services.store, "ann", bea, here.id, here.session) == "bea"
        assert await invitations.invited(second.services.store, "ann", here.id) == {"bea"}
        assert await invitations.open_ones(second.services.store, "bea") == {here.id: "ann"}
        await invitations.check_invited(second.services.store, "bea", here.id)
        there = await second.registry.current(here.id)
        await there.do("bea", Join("Bea", there.session.invitation))
        await until(lambda: {seat["name"] for seat in ann.state["seats"]} == {"Ann", "Bea"})
        assert await invitations.to_be_told(first.services.store, "bea", [here.id]) == {here.id: False}
        with pytest.raises(Refusal, match="no free seat"):
            await invitations.invite(second.services.store, "ann", bea, there.id, there.session)

    with_two_nodes(services, story)


def test_one_invitation_is_made_however_many_nodes_are_asked(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        bea = await fellow_players(first, second)
        here = await first.opener.open("ann", FOR_THREE)
        there = await second.registry.current(here.id)
        asked = [
            invitations.invite(server.services.store, "ann", bea, table.id, table.session)
            for _ in range(4)
            for server, table in ((first, here), (second, there))
        ]
        assert sorted(map(str, await asyncio.gather(*asked))) == ["None"] * 7 + ["bea"], "told once"

    with_two_nodes(services, story)


def test_who_declines_and_blocks_at_one_node_is_in_no_list_of_the_other(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        bea = await fellow_players(first, second)
        here = await first.opener.open("ann", FOR_TWO)
        await invitations.invite(first.services.store, "ann", bea, here.id, here.session)
        await invitations.decline(second.services.store, "bea", here.id, block=True)
        assert await invitations.open_ones(first.services.store, "bea") == {}
        assert await people.apart(first.services.store, "ann", ["bea"]) == {"bea"}
        another = await first.opener.open("ann", FOR_TWO)
        await invitations.invite(first.services.store, "ann", bea, another.id, another.session)
        assert await invitations.open_ones(second.services.store, "bea") == {}, "and the host is not told"

    with_two_nodes(services, story)
