// The score sheet: a line for each tile that is kept and for each element.

import type { SheetSpec } from "../../lib/game";
import { entryWords } from "./wording";

export default { entry: entryWords, part: ({ name }) => name } satisfies SheetSpec;
