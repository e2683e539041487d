/**
 * Has an entry point of the package export its own names alone.
 *
 * What entry points and the parts that are fetched share lies in the file of one of them (`bundle` in `build-pkg.mjs`),
 * and the bundler exports it there under short names, which would be the package's for everybody. Here such names become
 * members of an object that a class of the entry point carries under a symbol; in CommonJS, of one that stands behind
 * the exports. A bundler leaves the object out with the class: the call that puts it there says that it has no effect.
 */
import { readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";

const SYMBOL = 'Symbol.for("quiredb.inside")';
const EXPORTS = /export\{([^{}]*)\};?\s*$/;

/** `{A as b, c}` as pairs: the first name and the second. */
const pairsOf = (list) =>
  list
    .split(",")
    .map((one) => one.trim().split(/\s+as\s+/))
    .map(([name, as = name]) => [name, as]);
const listOf = (pairs) => pairs.map(([name, as]) => (name === as ? name : `${name} as ${as}`)).join(",");

/** Moves the source map of a file that has one line more at its beginning; what only passes names on has none. */
async function movedDown(file) {
  const text = await readFile(`${file}.map`, "utf8").catch(() => null);
  if (text === null) return;
  const map = JSON.parse(text);
  await writeFile(`${file}.map`, JSON.stringify({ ...map, mappings: `;${map.mappings}` }));
}

/**
 * Hides the names that are not `own` of a module in a folder. `carrierOf` says which of its classes carries those that a
 * file imports. A file that only passes names on leaves out `inside`.
 */
export async function hideInModule(folder, name, own, inside, carrierOf) {
  const file = path.join(folder, `${name}.js`);
  const code = await readFile(file, "utf8");
  const exported = pairsOf(EXPORTS.exec(code)[1]);
  const locals = new Map(exported.map(([local, as]) => [as, local]));
  const hidden = new Map();
  const importing = new RegExp(`(import|export)\\{([^{}]*)\\}from"\\./${name}\\.js";?`);
  for (const other of (await readdir(folder)).filter((each) => each.endsWith(".js") && each !== `${name}.js`)) {
    const theirs = await readFile(path.join(folder, other), "utf8");
    const [statement, word, list] = importing.exec(theirs) ?? [];
    if (statement === undefined) continue;
    const pairs = pairsOf(list);
    const shared = pairs.filter(([from]) => !own.includes(from));
    if (shared.length === 0) continue;
    const carrier = carrierOf(other);
    if (!own.includes(carrier)) throw new Error(`${name}.js does not export ${carrier}`);
    const carried = hidden.get(carrier) ?? new Set();
    const others = pairs.filter((one) => !shared.includes(one));
    const taken = word === "import" ? shared : shared.filter(([, as]) => !inside.includes(as));
    for (const [from] of taken) carried.add(from);
    hidden.set(carrier, carried);
    const imported = listOf([[carrier, `$${name}`], ...(word === "import" ? others : [])]);
    const members =
      word === "import"
        ? `const{${taken.map(([from, as]) => `${from}:${as}`).join(",")}}=$${name}[${SYMBOL}];`
        : taken.map(([from, as]) => `export const ${as}=/* @__PURE__ */(()=>$${name}[${SYMBOL}].${from})();`).join("");
    const passed = word === "import" || others.length === 0 ? "" : `export{${listOf(others)}}from"./${name}.js";`;
    // The code keeps its columns, for the source map.
    const rest = theirs.replace(statement, " ".repeat(statement.length)).trimEnd();
    const [first, ...lines] = rest.startsWith("#!") ? rest.split("\n") : [null, rest];
    const head = `import{${imported}}from"./${name}.js";${passed}${members}`;
    await writeFile(path.join(folder, other), [...(first === null ? [] : [first]), head, lines.join("\n")].join("\n"));
    await movedDown(path.join(folder, other));
  }
  const carriers = [...hidden].map(([carrier, names], at) => {
    const members = [...names].map((each) => `${each}:${locals.get(each)}`).join(",");
    const value = `{value:{${members}}}`;
    const local = locals.get(carrier);
    locals.set(carrier, `$quire${at}`);
    return `const $quire${at}=/* @__PURE__ */Object.defineProperty(${local},/* @__PURE__ */${SYMBOL},${value});`;
  });
  const left = own.map((each) => [locals.get(each), each]);
  const missing = left.find(([local]) => local === undefined);
  if (missing !== undefined) throw new Error(`${name}.js does not export ${missing[1]}`);
  const statement = `${carriers.join("")}export{${listOf(left)}};\n`;
  await writeFile(
    file,
    code.replace(EXPORTS, () => statement),
  );
}

/** The same in CommonJS: files that require the entry point require what stands behind its exports. */
export async function hideInCommonJs(folder, name, own) {
  const file = path.join(folder, `${name}.cjs`);
  const code = await readFile(file, "utf8");
  const exported = /\bexports\.([\w$]+)=/g;
  const names = new Set([...code.matchAll(exported)].map(([, each]) => each));
  if (own.some((each) => !names.has(each))) throw new Error(`${name}.cjs does not export all of ${own.join(", ")}`);
  if (names.size === own.length) return;
  const hidden = code.replaceAll(exported, (whole, each) => (own.includes(each) ? whole : `$quire.${each}=`));
  const behind = `var $quire=Object.create(exports);Object.defineProperty(exports,${SYMBOL},{value:$quire});`;
  await writeFile(file, `${behind}\n${hidden}`);
  await movedDown(file);
  const required = `require("./${name}.cjs")`;
  for (const other of (await readdir(folder)).filter((each) => each.endsWith(".cjs") && each !== `${name}.cjs`)) {
    const theirs = await readFile(path.join(folder, other), "utf8");
    if (theirs.includes(required))
      await writeFile(path.join(folder, other), theirs.replaceAll(required, `${required}[${SYMBOL}]`));
  }
}

/** Leaves names out of what a module passes on. */
export async function passNot(file, names) {
  const code = await readFile(file, "utf8");
  const left = pairsOf(EXPORTS.exec(code)[1]).filter(([, as]) => !names.includes(as));
  await writeFile(
    file,
    code.replace(EXPORTS, () => `export{${listOf(left)}};\n`),
  );
}

/** Leaves names out of a CommonJS file's exports. */
export async function leaveOut(file, names) {
  const code = await readFile(file, "utf8");
  const left = names.reduce(
    (text, each) => text.replace(new RegExp(`[,;]exports\\.${each}=[\\w$.]+(?=[,;])`), ""),
    code,
  );
  await writeFile(file, left);
}
