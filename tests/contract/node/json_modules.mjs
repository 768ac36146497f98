// Lets packages import JSON files without saying that they are JSON.
// Used as: node --import ./json_modules.mjs
import { register } from "node:module";

const hooks = `
  import { readFile } from "node:fs/promises";
  export async function load(url, context, next) {
    if (!url.endsWith(".json")) return next(url, context);
    const text = await readFile(new URL(url), "utf8");
    return { format: "module", shortCircuit: true, source: "export default " + text };
  }
`;
register("data:text/javascript," + encodeURIComponent(hooks));
