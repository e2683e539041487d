/**
 * The packed npm package in every tool that its README names: a small project each, built by the tool, and run where
 * its users would run it.
 *
 * `cargo xtask test --only toolchains` packs the package (`QUIRE_PACKED`) and installs the tools (`QUIRE_TOOLCHAINS`);
 * the projects are laid anew into that folder, beside an unpacked package. Invariant: a tool that cannot be had fails
 * its test.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { executablePath, patience, withBrowser } from "../e2e/browser.mjs";
import { hold } from "../e2e/held.mjs";
import { serve } from "../e2e/server.mjs";
import { expected } from "./shared/expected.js";

const tools = process.env.QUIRE_TOOLCHAINS ?? fileURLToPath(new URL("../../target/toolchains", import.meta.url));
const work = join(tools, "work");
const unpacked = join(work, "node_modules/quiredb");
/** The packed packages, in the order of installing; the first is `QUIRE_PACKED`, and the others lie beside it. */
const packed = () => {
  const { QUIRE_PACKED: first } = process.env;
  const others = ["inline", "playground"].map((name) => first.replace(/quiredb-(?=[^/]*$)/, `quiredb-${name}-`));
  return { quiredb: first, "quiredb-inline": others[0], "quiredb-playground": others[1] };
};
const environment = {
  ...process.env,
  CHROMIUM: executablePath,
  NO_COLOR: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  NEXT_IGNORE_INCORRECT_LOCKFILE: "1",
  DO_NOT_TRACK: "1",
};
delete environment.NODE_TEST_CONTEXT;

const { visit } = withBrowser();
before(() => {
  assert.ok(process.env.QUIRE_PACKED, "QUIRE_PACKED names the packed package: cargo xtask test --only toolchains");
  rmSync(work, { recursive: true, force: true });
  // Vite keeps what it made of packages by their versions, and this one's stays while it is changed.
  rmSync(join(tools, "node_modules/.vite"), { recursive: true, force: true });
  cpSync(fileURLToPath(new URL(".", import.meta.url)), work, {
    recursive: true,
    filter: (file) => !/node_modules|package(-lock)?\.json$/.test(file),
  });
  for (const [name, file] of Object.entries(packed())) {
    const folder = join(work, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    const done = spawnSync("tar", ["-xzf", file, "-C", folder, "--strip-components=1"], { encoding: "utf8" });
    assert.equal(done.status, 0, done.stderr);
  }
  return run(
    "shared",
    "esbuild server.js expected.js --format=cjs --outdir=. --out-extension:.js=.cjs --log-level=warning",
  );
});

/** The program of a tool, and what it is given. */
function program(command) {
  const [name, ...words] = command.split(" ");
  return [name === "node" ? process.execPath : join(tools, "node_modules/.bin", name), words];
}

/** Starts a tool in a project's folder, as the first of a group of its own; `end` ends all of the group. */
function begin(folder, command, more = {}) {
  const [file, words] = program(command);
  const child = spawn(file, words, { cwd: join(work, folder), env: { ...environment, ...more }, detached: true });
  const end = hold(() => {
    // What it started may go on after it, and holds its pipes open.
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // Nothing of it is left, or it never began.
    }
    child.stdout.destroy();
    child.stderr.destroy();
  });
  return { child, end };
}

/** Runs a tool to its end; gives what it printed. */
async function run(folder, command, more) {
  const { child, end } = begin(folder, command, more);
  let [printed, complaints] = ["", ""];
  child.stdout.on("data", (text) => (printed += text));
  child.stderr.on("data", (text) => (complaints += text));
  const late = setTimeout(() => void end(), patience);
  try {
    const [code, signal] = await once(child, "close");
    if (code === 0) return printed;
    // Lines of built files are as long as the files.
    const told = `${printed}\n${complaints}`.replace(/.{400,}/g, (line) => `${line.slice(0, 400)}…`);
    throw new Error(`${command}: ended with ${code ?? signal}\n${told.slice(-4000)}`);
  } finally {
    clearTimeout(late);
    await end();
  }
}

/** Starts a tool's server, uses it by the address that it prints, and ends it. */
async function withServer(folder, command, use) {
  const { child: server, end } = begin(folder, command);
  try {
    const address = await new Promise((resolve, reject) => {
      let said = "";
      const late = setTimeout(() => reject(new Error(`${command} began no server:\n${said}`)), patience);
      const hear = (text) => {
        said += stripVTControlCharacters(String(text));
        const found = /Local:\s+(http:\S+)/.exec(said);
        if (found === null) return;
        clearTimeout(late);
        resolve(found[1].replace(/\/?$/, "/"));
      };
      server.stdout.on("data", hear);
      server.stderr.on("data", hear);
      server.on("error", reject);
      server.on("exit", () => reject(new Error(`${command} ended:\n${said}`)));
    });
    await use(address);
  } finally {
    await end();
  }
}

/** The values, without the types, that a file of declarations exports. */
function declaredValues(file) {
  const text = readFileSync(join(unpacked, file), "utf8");
  const [, passed, from] = /^export (?:\*|\{([^{}]*)\}) from "\.\/([\w-]+)\.cjs";\s*$/.exec(text) ?? [];
  const listed = (names) => names.split(",").map((name) => name.trim().replace(/^type /, ""));
  if (from !== undefined) {
    const all = declaredValues(`dist/${from}.d.cts`);
    return passed === undefined ? all : all.filter((name) => listed(passed).includes(name));
  }
  const values = new Set(
    [...text.matchAll(/^declare (?:abstract )?(?:class|function|const|namespace) ([\w$]+)/gm)].map(([, name]) => name),
  );
  const exported = listed(/export \{([^{}]*)\};?\s*$/.exec(text)[1]).map((name) => name.split(" as "));
  return exported
    .filter(([local]) => values.has(local))
    .map(([local, name = local]) => name)
    .sort();
}

/** A free port: some servers print nothing but the one that they were given. */
async function freePort() {
  const { url, close } = await serve(work);
  await close();
  return new URL(url).port;
}

/**
 * Opens a page of a project: driver, worker, IndexedDB, sandbox, engine and shell do their work, and a snippet runs.
 */
async function opens(address, body) {
  const { context, close } = await visit();
  try {
    const complaints = [];
    if (body !== undefined) await context.route(address, (route) => route.fulfill({ contentType: "text/html", body }));
    const page = await context.newPage();
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on(
      "console",
      (message) =>
        message.type() === "error" &&
        !message.location().url.endsWith("favicon.ico") &&
        complaints.push(message.text()),
    );
    await page.goto(address);
    await page
      .waitForFunction(() => /^(\{|failed)/.test(document.title))
      .catch((error) => assert.fail(`${complaints.join("\n")}\n${error.message}`));
    const title = await page.title();
    assert.deepEqual(title.startsWith("{") ? JSON.parse(title) : title, { ...expected, stored: true });
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("acknowledged: true").waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
}

/** A page around a built script. */
const around = (tag) =>
  `<!doctype html><html lang="en"><title>waiting</title><quire-snippet><pre>db.herbs.insertOne({ _id: 1, latin: "Salvia" })</pre></quire-snippet>${tag}`;

/** Opens the page that a tool built into a folder. */
async function opensBuilt(folder, tag) {
  const served = await serve(join(work, folder));
  try {
    await opens(`${served.url}index.html`, tag === undefined ? undefined : around(tag));
  } finally {
    await served.close();
  }
}

/** The last line that a program printed, read. */
function said(output) {
  return JSON.parse(output.trim().split("\n").at(-1));
}

describe("the packed package", { concurrency: 2 }, () => {
  test("Next.js imports it on the server", async () => {
    await run("next", "next build");
    await withServer("next", `next start -p ${await freePort()}`, async (address) =>
      assert.deepEqual(await (await fetch(`${address}quire`)).json(), expected),
    );
  });

  test("SvelteKit imports it on the server", async () => {
    await run("sveltekit", "vite build --logLevel warn");
    await withServer("sveltekit", `vite preview --host 127.0.0.1 --port ${await freePort()}`, async (address) =>
      assert.deepEqual(await (await fetch(`${address}quire`)).json(), expected),
    );
  });

  test("Vite builds a page, which also runs with its files on another origin", async () => {
    await run("vite", "vite build --base ./ --logLevel warn");
    await opensBuilt("vite/dist");
    const [own, other] = await Promise.all([
      serve(work),
      serve(join(work, "vite/dist"), 0, { "access-control-allow-origin": "*" }),
    ]);
    // A page on the disk: one that the test makes up has no address, and may ask none of this machine's for anything.
    const html = readFileSync(join(work, "vite/dist/index.html"), "utf8");
    writeFileSync(join(work, "other.html"), html.replace(/(src|href)="\.\//g, `$1="${other.url}`));
    await opens(`${own.url}other.html`);
    await Promise.all([own.close(), other.close()]);
  });

  test("MongoDB's own driver and mongoose run in a page, and in a process without a server", async () => {
    const ofDriver = {
      operationType: "update",
      sum: 22,
      names: ["mint", "oolong", "pu-erh"],
      refused: 11000,
      length: 3e5,
    };
    const ofMongoose = { price: 5, stamped: true, sum: 13, refused: 11000, invalid: "ValidationError" };
    await run("drivers", "vite build --base ./ --logLevel error");
    const served = await serve(join(work, "drivers/dist"));
    const { context, close } = await visit();
    const page = await context.newPage();
    await page.goto(`${served.url}index.html`);
    await page.waitForFunction(() => /^(\{|failed)/.test(document.title));
    const title = await page.title();
    await close();
    await served.close();
    assert.deepEqual(title.startsWith("{") ? JSON.parse(title) : title, {
      mongodb6: ofDriver,
      mongodb7: ofDriver,
      mongoose8: ofMongoose,
      mongoose9: ofMongoose,
    });
    const places = "--alias:net=quiredb/net --alias:tls=quiredb/net";
    await run("drivers", `esbuild run.js --bundle --platform=node ${places} --outfile=run.cjs --log-level=warning`);
    const inProcess = said(await run("drivers", "node run.cjs"));
    assert.deepEqual(inProcess, { mongodb7: ofDriver, kept: 3, mongoose9: ofMongoose });
  });

  test("Vite serves a page while it is developed", async () => {
    await withServer("vite", `vite --host 127.0.0.1 --port ${await freePort()}`, (address) => opens(address));
  });

  test("webpack builds a page", async () => {
    await run("webpack", "node build.mjs");
    await opensBuilt("webpack/dist", "<script defer src=main.js></script>");
  });

  test("Rspack builds a page", async () => {
    await run("rspack", "node build.mjs");
    await opensBuilt("rspack/dist", "<script defer src=main.js></script>");
  });

  test("Parcel builds a page", async () => {
    await run(
      "parcel",
      "parcel build index.html --no-cache --no-source-maps --no-autoinstall --public-url ./ --dist-dir dist",
    );
    await opensBuilt("parcel/dist");
  });

  test("esbuild makes one script of a page and one of a server", async () => {
    await run(
      "shared",
      "esbuild main-inline.js --bundle --minify --outfile=../esbuild/page/main.js --log-level=warning",
    );
    const tag = "<script defer src=main.js></script>";
    await opensBuilt("esbuild/page", tag);
    // One script needs no server: the page may lie on a disk.
    const onDisk = join(work, "esbuild/page/disk.html");
    writeFileSync(onDisk, around(tag));
    await opens(pathToFileURL(onDisk).href);
    await run("shared", "esbuild run.js --bundle --platform=node --outfile=../esbuild/run.cjs --log-level=warning");
    assert.deepEqual(said(await run("esbuild", "node run.cjs")), expected);
    // A service runs in any folder.
    assert.deepEqual(said(await run("../../..", `node ${join(work, "esbuild/run.cjs")}`)), expected);
  });

  test("Rollup makes one script of a page and one of a server", async () => {
    await run("rollup", "rollup --config rollup.config.js --silent");
    await opensBuilt("rollup/dist", "<script type=module src=main.js></script>");
    assert.deepEqual(said(await run("rollup", "node dist/run.js")), expected);
  });

  test("a page imports it by address, from its own origin and from another", async () => {
    const [own, other] = await Promise.all([serve(work), serve(unpacked, 0, { "access-control-allow-origin": "*" })]);
    await opens(`${own.url}plain/index.html?at=../node_modules/quiredb/dist/`);
    await opens(`${own.url}plain/index.html?at=${encodeURIComponent(`${other.url}dist/`)}`);
    await Promise.all([own.close(), other.close()]);
  });

  test("Node imports it, and requires it", async () => {
    assert.deepEqual(said(await run("shared", "node run.js")), expected);
    assert.deepEqual(said(await run("node", "node run.cjs")), expected);
  });

  test("each entry point exports the names of its declarations, and no others", async () => {
    const { exports } = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"));
    const entries = Object.entries(exports).filter(
      // What test runners are told the name of has no names itself.
      ([name, told]) => /\.js$/.test(told.default?.default ?? told.default) && name !== "./testing/global-setup",
    );
    assert.equal(entries.length, 12);
    const names = entries.map(([entry]) => entry.replace(/^\./, "quiredb"));
    const found = JSON.parse(await run("node", `node names.mjs ${names.join(" ")}`));
    for (const [entry, told] of entries) {
      const declared = declaredValues(told.types ?? told.default.types);
      const { module, commonjs = declared } = found[entry.replace(/^\./, "quiredb")];
      assert.ok(declared.length > 0, entry);
      assert.deepEqual(module, declared, `${entry}: import`);
      assert.deepEqual(commonjs, declared, `${entry}: require`);
    }
  });

  test("quiredb/inline says what to install where quiredb-inline is of another version", async () => {
    const modules = join(work, "versions/node_modules");
    cpSync(unpacked, join(modules, "quiredb"), { recursive: true });
    mkdirSync(join(modules, "quiredb-inline"));
    const { version } = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"));
    const others = readFileSync(join(work, "node_modules/quiredb-inline/index.js"), "utf8");
    writeFileSync(join(modules, "quiredb-inline/index.js"), others.replaceAll(`"${version}"`, '"0.0.1"'));
    for (const [name, line] of [
      ["asked.mjs", 'import "quiredb/inline"'],
      ["element.mjs", 'import "quiredb/inline/element"'],
      ["asked.cjs", 'require("quiredb/inline")'],
    ]) {
      writeFileSync(join(work, "versions", name), line);
      await assert.rejects(run("versions", `node ${name}`), RegExp(`npm install quiredb-inline@${version}`), name);
    }
    // What another part of the program brought along is nothing to the package itself.
    writeFileSync(
      join(work, "versions/beside.mjs"),
      'import "quiredb-inline"; import { Engine } from "quiredb/engine"; (await Engine.create()).close();',
    );
    await run("versions", "node beside.mjs");
  });

  test("Bun runs it", async () => assert.deepEqual(said(await run("shared", "bun run.js")), expected));

  test("Deno runs it", async () =>
    assert.deepEqual(said(await run("shared", "deno run --allow-read --allow-env run.js")), expected));

  test("Jest runs it as CommonJS and as modules", async () => {
    await run("jest", "jest --config jest.config.json cjs");
    await run("jest", "jest --config jest.config.json esm", { NODE_OPTIONS: "--experimental-vm-modules" });
  });

  test("Vitest runs it in Node, in jsdom and in a browser", () => run("vitest", "vitest run"));

  test("publint and Are The Types Wrong find nothing", async () => {
    for (const name of Object.keys(packed())) await run(".", `publint run node_modules/${name} --strict --pack false`);
    const attw = `attw ${process.env.QUIRE_PACKED} --no-emoji --no-color`;
    // The elements of courses and labs are for pages, and the sockets for bundlers, which take modules, and so do test
    // runners: these have no CommonJS build.
    const modules = "course lab net net/aliases testing/global-setup";
    await run(".", `${attw} --exclude-entrypoints ${modules}`);
    await run(".", `${attw} --entrypoints ${modules} --ignore-rules cjs-resolves-to-esm`);
  });
});
