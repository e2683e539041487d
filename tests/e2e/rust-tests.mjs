/**
 * Runs tests/browser.rs, which are Rust's tests of IndexedDB, in Firefox and in WebKit: `node tests/e2e/rust-tests.mjs
 * [Firefox,WebKit]`. The runner of wasm-bindgen drives a browser only through its maker's driver, but it also serves
 * its tests to any browser that comes.
 *
 * Prints the tests' output, and "skipped" where a browser is missing; fails when a test does. Invariant: the program
 * that serves is ended.
 */
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { eventually } from "./browser.mjs";
import { engines } from "./engines.mjs";

/**
 * WebKit compiles these tests' WebAssembly with the first of its compilers (BBQ) only: they are about its IndexedDB,
 * and WebKitGTK 2.50's compilers are not to be trusted.
 *
 * Now and then, on a busy machine, the engine's own arithmetic went wrong in these tests before IndexedDB was called.
 * Load decides there when the second compiler (OMG) runs: its thread may write to code of the first that was freed
 * meanwhile, because the second had taken its place (WebKit bug 307669). It was not seen at work; without OMG no code
 * is replaced. Seen in 2.50.6, and always: BBQ gives other results than the interpreter and V8 for `i32.shr_u` of a
 * constant by 32 and more, for the least number divided by -1, both constants, and for a double that a loop takes as
 * its parameter (bug 301435). None of these occurs in our WebAssembly. Without BBQ the tests take many times as long.
 * With the first compiler in threads of its own, too, four of five runs went wrong in another place each (a trap, a
 * page number or a count that nothing had written); without threads all nine were right. So it compiles in place. The
 * end-to-end tests run in WebKit as its users have it.
 */
const firstCompilerOnly = { JSC_useOMGJIT: "0", JSC_useConcurrentJIT: "0" };

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A port that nothing listens on. */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Serves the tests until `end` is called; resolves once they can be fetched. */
async function serveTests() {
  const address = `127.0.0.1:${await freePort()}`;
  const variables = {
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: process.env.QUIRE_WASM_TESTS ?? "wasm-bindgen-test-runner",
    WASM_BINDGEN_TEST_ONLY_WEB: "1",
    NO_HEADLESS: "1",
    WASM_BINDGEN_TEST_ADDRESS: address,
  };
  const child = spawn("cargo", ["test", "--target", "wasm32-unknown-unknown", "--test", "browser"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...variables },
    detached: true,
  });
  let exited = null;
  const ended = new Promise((resolve) => child.once("exit", (code) => resolve((exited = code ?? 1))));
  for (;;) {
    if (exited !== null) throw new Error("the tests cannot be served");
    if (
      await fetch(`http://${address}/`).then(
        (response) => response.ok,
        () => false,
      )
    )
      break;
    await new Promise((later) => setTimeout(later, 200));
  }
  return {
    url: `http://${address}/`,
    async end() {
      // The whole group: cargo has started the runner.
      if (exited === null) process.kill(-child.pid, "SIGKILL");
      await ended;
    },
  };
}

const wanted = process.argv[2]?.split(",") ?? ["Firefox", "WebKit"];
let failed = false;
for (const { name, skip, start } of engines.filter((engine) => wanted.includes(engine.name))) {
  if (skip) {
    console.log(`# skipped: ${name}: ${skip}`);
    continue;
  }
  console.log(`# tests/browser.rs in ${name}`);
  const served = await serveTests();
  const browser = await start(firstCompilerOnly);
  try {
    const tab = await browser.tab();
    await tab.goto(served.url);
    let said = "";
    const read = () => tab.evaluate('document.getElementById("output")?.textContent ?? ""');
    // Each test's line is waited for by itself: all of them may take long on a slow machine.
    while (!said.includes("test result: ")) {
      const before = said;
      said = await eventually(read, (now) => now !== before, `${name} tells no more`);
    }
    console.log(said.trim());
    if (!/test result: ok/.test(said)) failed = true;
  } finally {
    await browser.close();
    await served.end();
  }
}
process.exit(failed ? 1 : 0);
