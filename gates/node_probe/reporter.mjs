// A reporter for `node --test`: a line of JSON for each test, with its suites.
const suites = new Map();

export default async function* (events) {
  for await (const { type, data } of events) {
    if (!type.startsWith("test:") || data?.name === undefined) continue;
    const titles = suites.get(data.file) ?? [];
    titles.length = Math.min(titles.length, data.nesting);
    if (type === "test:start") {
      titles[data.nesting] = data.name;
      suites.set(data.file, titles);
    } else if ((type === "test:pass" || type === "test:fail") && data.details?.type !== "suite") {
      const error = data.details?.error?.cause ?? data.details?.error;
      const skipped = data.skip !== undefined || data.todo !== undefined;
      yield `${JSON.stringify({
        file: data.file,
        titles: [...titles, data.name],
        outcome: skipped ? "skipped" : type === "test:pass" ? "passed" : "failed",
        asserted:
          error?.code === "ERR_ASSERTION" ||
          error?.name === "AssertionError" ||
          error?.matcherResult !== undefined,
      })}\n`;
    }
  }
}
