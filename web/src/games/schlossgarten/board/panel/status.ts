// One line about what is going on, or what is to be done.

import type { SchlossgartenView } from "../../../../client/messages";
import { t } from "../../words";
import type { Choice } from "../choice.svelte";
import { pawnName } from "../labels";

export function statusOf(view: SchlossgartenView, names: string[], choice: Choice): string {
  if (view.over) return t("schlossgarten.over");
  if (view.seat === null) return t("schlossgarten.shuffled");
  if (!choice.moves.length) return othersStatus(view, names[view.seat] ?? "");
  if (view.phase === "card") return t("schlossgarten.choose_card");
  if (choice.hitCell) return t("schlossgarten.choose_refuge");
  return view.phase === "move" ? moveStatus(choice) : workStatus(choice);
}

function othersStatus(view: SchlossgartenView, name: string): string {
  if (view.phase === "card") return t("schlossgarten.other_card", { name });
  return view.phase === "move" ? t("schlossgarten.other_move", { name }) : t("schlossgarten.other_work", { name });
}

function moveStatus(choice: Choice): string {
  if (!choice.movable.length) return t("schlossgarten.only_stop");
  return choice.pawn ? t("schlossgarten.move_pawn", { pawn: pawnName(choice.pawn) }) : t("schlossgarten.choose_pawn");
}

function workStatus(choice: Choice): string {
  if (!choice.movable.length) return t("schlossgarten.only_end");
  if (!choice.pawn) return t("schlossgarten.who_works");
  if (choice.tool === "dig") return t("schlossgarten.choose_dig");
  return choice.sites.length > 1 ? t("schlossgarten.choose_site") : t("schlossgarten.only_site");
}
