declare module "virtual:words" {
  /** How the words of each area are loaded in each language. */
  const catalogues: Record<
    string,
    Record<"en" | "fr" | "es" | "de", () => Promise<{ default: Record<string, string> }>>
  >;
  export default catalogues;
}
