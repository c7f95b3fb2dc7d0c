// Makes links of the page work in any folder of a host: `<a href="/rules">` of a component is compiled as
// `<a href={at("/rules")}>`, see `src/shell/base.ts`.

import { join, relative } from "node:path";
import { type AST, parse, type PreprocessorGroup } from "svelte/compiler";

const BASE = join(import.meta.dirname, "../src/shell/base.ts");
const AT = "bosquetAt";

type Address = AST.Attribute & { value: Exclude<AST.Attribute["value"], true> };

export function links(): PreprocessorGroup {
  return {
    name: "links",
    markup: ({ content, filename = BASE }) => ({ code: inFolder(content, importFor(filename)) }),
  };
}

function importFor(component: string): string {
  return `import { at as ${AT} } from "./${relative(join(component, ".."), BASE).replaceAll("\\", "/")}";`;
}

/** A component whose links lead to the folder of the page; `imported` is the line that its script gets for that. */
export function inFolder(component: string, imported: string): string {
  const tree = parse(component, { modern: true });
  const found: Address[] = [];
  walk(tree.fragment, (node) => {
    if (node.type === "RegularElement" && node.name === "a") found.push(...node.attributes.filter(isAddress));
  });
  if (!found.length) return component;
  const script = tree.instance as (AST.Script & { content: { start: number } }) | null;
  const changes = found.map(({ start, end, value }) => ({
    start,
    end,
    text: `href={${AT}(${written(component, value)})}`,
  }));
  if (script) changes.push({ start: script.content.start, end: script.content.start, text: imported });
  let changed = component;
  for (const { start, end, text } of changes.toSorted((one, other) => other.start - one.start)) {
    changed = changed.slice(0, start) + text + changed.slice(end);
  }
  return script ? changed : `<script lang="ts">${imported}</script>${changed}`;
}

function isAddress(attribute: AST.RegularElement["attributes"][number]): attribute is Address {
  if (attribute.type !== "Attribute" || attribute.name !== "href" || attribute.value === true) return false;
  const [first] = [attribute.value].flat();
  return first?.type !== "Text" || first.data.startsWith("/");
}

/** The value of an attribute as an expression. */
function written(component: string, value: Address["value"]): string {
  const parts = [value].flat().map((part) => {
    if (part.type === "Text") return JSON.stringify(part.data);
    const { start, end } = part.expression as unknown as { start: number; end: number };
    return `(${component.slice(start, end)})`;
  });
  return parts.join(" + ");
}

function walk(node: unknown, visit: (node: AST.TemplateNode) => void): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit);
  else if (typeof node === "object" && node !== null) {
    if ("type" in node) visit(node as AST.TemplateNode);
    for (const value of Object.values(node)) walk(value, visit);
  }
}
