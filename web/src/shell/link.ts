// Links of this page as they come back: messengers, mail programs and people put other characters around them, and encode
// some of their own. This is the only place that takes a link to pieces.

/** All that a page needs of a link. */
export interface Link {
  /** `/table/x7Yz`, without a slash at its end. */
  path: string;
  /** `?teach`; parameters of others may be among ours. */
  search: string;
  /** What stands after `#`: an invitation, a code, a step of a game, a chapter. */
  mark: string;
}

/** How often a part of a link may have been encoded on its way. */
const DEEPEST = 3;
/** What stands in no path, mark, table or code of ours: it was put there by somebody else. */
const OTHERS = /[^\w-]+/;
/** Characters that nobody sees. */
const UNSEEN = /[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g;
/** Places whose next part is the name of a game. */
const OF_GAMES = ["box", "here", "puzzles", "rules", "score"];
/** A link to a table in a longer text. */
const TO_A_TABLE = /\/(table|screen|replay)\/+[\w-][^\s<>"]*/i;

/** Read the address of a page, or what follows its host: `/table/x7Yz%23k3y).` is the table x7Yz, with the mark k3y. */
export function readLink(address: string): Link {
  const [before = "", marked] = split(address.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, ""), /#/);
  const [way = "", asked = ""] = split(before, /\?/);
  const [path = "", markInPath] = split(decoded(way), /#/);
  const [place = "", next = "", ...beyond] = split(path, /\?/)[0]!.split("/").map(own).filter(Boolean);
  const first = place.toLowerCase();
  const parts = [first, OF_GAMES.includes(first) ? next.toLowerCase() : next, ...beyond].filter(Boolean);
  const [, markInSearch] = split(decoded(asked), /#/);
  const search = markInSearch === undefined ? asked : split(asked, /%(25)*23/)[0]!;
  const mark = marked === undefined ? (markInPath ?? markInSearch ?? "") : decoded(marked);
  return { path: `/${parts.join("/")}`, search: search && `?${search}`, mark: own(mark) };
}

/** Find the link to a table in what somebody pasted; undefined where there is none. */
export function tableLinkIn(text: string): Link | undefined {
  const found = TO_A_TABLE.exec(decoded(text))?.[0];
  return found === undefined ? undefined : readLink(found);
}

/** The address that a link is within this page. */
export function addressOf({ path, search, mark }: Link): string {
  return path + search + (mark && `#${mark}`);
}

/** The first letters of ours in a part. */
function own(part: string): string {
  return part.split(OTHERS).find(Boolean) ?? "";
}

/** The two parts around the first mark; of one that has none, the whole and nothing. */
function split(text: string, mark: RegExp): [string, string?] {
  const at = text.search(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Undo what was encoded, once or more often, and leave out what nobody sees; what can't be decoded stays. */
function decoded(text: string): string {
  for (let times = 0; times < DEEPEST; times++) {
    text = text.replace(/(%[0-9a-f]{2})+/gi, (part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
  }
  return text.normalize("NFKC").replace(UNSEEN, "");
}
