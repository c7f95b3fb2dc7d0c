import { expect, test } from "vitest";
import type { Move } from "../../client/messages";
import { ROOT, Tree, type Tried } from "./tree";

function tried(say: string, seat = 0): Tried {
  return { say, seat, move: { say } as Move };
}

/** A tree of paths, whose moves are single letters; capital letters are moves of seat 1. */
function treeOf(...paths: string[]): Tree {
  let tree = new Tree();
  for (const path of paths) {
    let at = ROOT;
    for (const say of path) ({ tree, id: at } = tree.with(at, tried(say, Number(say < "a"))));
  }
  return tree;
}

const said = (nodes: readonly { say: string }[]) => nodes.map(({ say }) => say).join("");
const rowsOf = (tree: Tree) => tree.rows().map(({ depth, nodes }) => `${" ".repeat(depth)}${said(nodes)}`);

test("a move that is there already is not added again", () => {
  const tree = treeOf("ab");
  const again = tree.with(ROOT, tried("a"));
  expect(again).toEqual({ tree, id: tree.follow(["a"]) });
});

test("paths and lines", () => {
  const tree = treeOf("abcd", "abxy", "aq");
  expect(said(tree.pathTo(tree.follow([..."abxy"])))).toBe("abxy");
  expect(said(tree.lineFrom(tree.follow(["a"])))).toBe("bcd");
  expect(tree.pathTo(ROOT)).toEqual([]);
  expect(said(tree.siblingsOf(tree.follow([..."abc"])))).toBe("cx");
  expect(tree.siblingsOf(ROOT)).toEqual([]);
});

test("moves that are not there are followed as far as they are", () => {
  const tree = treeOf("abc");
  expect(said(tree.pathTo(tree.follow([..."abz"])))).toBe("ab");
});

test("a branch goes with all that follows it, and nothing else", () => {
  const tree = treeOf("abcd", "abxyz", "abxw", "aq");
  const left = tree.without(tree.follow([..."abx"]));
  expect(rowsOf(left)).toEqual(rowsOf(treeOf("abcd", "aq")));
  expect(rowsOf(tree.without(tree.follow(["a"])))).toEqual([]);
});

test("a new move gets a number that no other has", () => {
  const tree = treeOf("abc", "x");
  const left = tree.without(tree.follow(["a"]));
  const { tree: more, id } = left.with(ROOT, tried("d"));
  expect(new Set(more.nodes.map((node) => node.id)).size).toBe(more.nodes.length);
  expect(more.node(id)?.say).toBe("d");
});

test("rows hold what one seat does in a row, and branches follow the move in whose place they stand", () => {
  expect(rowsOf(treeOf("abCDe"))).toEqual(["ab", "CD", "e"]);
  expect(rowsOf(treeOf("abC", "xY", "abD"))).toEqual(["a", " x", " Y", "b", "C", " D"]);
});
