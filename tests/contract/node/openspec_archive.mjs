// What OpenSpec's own archive does. Standard input: one JSON object a line,
// {"name": change, "files": {path: base64, …}}. Standard output: one line each,
// {"code": 0 or 1, "said": what it printed, "files": {path: base64, …}}.
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { createInterface } from "node:readline";

const { ArchiveCommand } = await import(
  new URL("node_modules/@fission-ai/openspec/dist/core/archive.js", import.meta.url)
);

async function lay(root, files) {
  for (const [path, content] of Object.entries(files)) {
    const place = join(root, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, Buffer.from(content, "base64"));
  }
}

async function read(root) {
  const files = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const place = join(entry.parentPath, entry.name);
    const content = await readFile(place);
    files[relative(root, place).split(sep).join("/")] = content.toString("base64");
  }
  return files;
}

async function archive({ name, files }) {
  const root = await mkdtemp(join(tmpdir(), "archive-"));
  const said = [];
  const home = process.cwd();
  console.log = (...words) => said.push(words.join(" "));
  try {
    await lay(root, files);
    process.chdir(root);
    process.exitCode = 0;
    try {
      await new ArchiveCommand().execute(name, { yes: true });
    } catch (error) {
      said.push(String(error.message));
      process.exitCode = 1;
    }
    return { code: process.exitCode, said: said.join("\n"), files: await read(root) };
  } finally {
    process.chdir(home);
    process.exitCode = 0;
    await rm(root, { recursive: true, force: true });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(await archive(JSON.parse(line))) + "\n");
}
