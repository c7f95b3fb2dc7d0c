declare module "virtual:words" {
  type Words = Record<string, string | import("@formatjs/icu-messageformat-parser").MessageFormatElement[]>;
  /** How the words of each area are loaded in each language. A message that takes values is parsed already. */
  const catalogues: Record<string, Record<"en" | "fr" | "es" | "de", () => Promise<{ default: Words }>>>;
  export default catalogues;
}
