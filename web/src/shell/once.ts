// What is loaded once: a browser takes several tasks, with frames between them, to import a part that is there.

/** Return what calls `load`, and gives what that gave before; where it failed, it is called again. */
export function once<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loading: Promise<Part> | undefined;
  return () => {
    if (!loading) {
      loading = load();
      loading.catch(() => (loading = undefined));
    }
    return loading;
  };
}
