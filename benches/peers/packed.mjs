/**
 * The npm package as its users get it: the file that `npm pack` makes, unpacked. Only the modules that its `exports`
 * name can be imported.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** How a module of a page is bundled, and how Node imports one. */
export const IN_PAGE = ["browser", "import", "module", "default"];
export const IN_NODE = ["node", "import", "default"];

/**
 * Unpacks a packed package into `folder`; one that is a folder already is taken as it is. Gives the folder it lies in,
 * and the `exports` of its package.json.
 */
export function unpack(file, folder) {
  let root = resolve(file);
  if (!statSync(root).isDirectory()) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const done = spawnSync("tar", ["-xzf", root, "-C", folder], { encoding: "utf8" });
    if (done.status !== 0) throw new Error(`${file} could not be unpacked: ${done.stderr ?? done.error}`);
    // Every packed package lies in a folder of this name.
    root = join(folder, "package");
  }
  const { name, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return { root, name, exports };
}

function chosen(target, conditions) {
  if (typeof target !== "object" || target === null) return target;
  for (const [condition, one] of Object.entries(target))
    if (conditions.includes(condition)) return chosen(one, conditions);
  return undefined;
}

/** The file of an export, relative to the package; an error where the package exports no such name. */
export function exported({ name, exports }, specifier, conditions = IN_PAGE) {
  const file = chosen(exports[`.${specifier.slice(name.length)}`], conditions);
  if (typeof file !== "string") throw new Error(`${name} exports no ${specifier}`);
  return file;
}
