/** Work on the built page's folder, of a build that ends well and of one that fails. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, expect, it } from "vitest";
import { onceWritten } from "../scripts/once-written.mjs";

const root = mkdtempSync(join(tmpdir(), "quire-once-written-"));
afterAll(() => rmSync(root, { recursive: true }));

/** Builds a page of one script, and gives what work on its folder met. */
async function built(script: string): Promise<{ readonly met: string[]; readonly error: unknown }> {
  writeFileSync(join(root, "index.html"), '<script type="module" src="./main.js"></script>');
  writeFileSync(join(root, "main.js"), script);
  const met: string[] = [];
  const look = (name: string) =>
    onceWritten(name, () => void met.push(name, ...readdirSync(join(root, "dist/assets"))));
  const error: unknown = await build({
    root,
    configFile: false,
    logLevel: "silent",
    plugins: [look("first"), look("second")],
  }).then(
    () => null,
    (failure: unknown) => failure,
  );
  rmSync(join(root, "dist"), { recursive: true, force: true });
  return { met, error };
}

it("is done once the files lie there, in the order of the plugins", async () => {
  const { met, error } = await built("console.log(1)");
  expect(error).toBeNull();
  const script = expect.stringMatching(/^index-.*\.js$/);
  expect(met).toEqual(["first", script, "second", script]);
});

it("is left where the build fails, whose own error is told", async () => {
  const { met, error } = await built('import "./missing.js"');
  expect(met).toEqual([]);
  expect(String(error)).toContain("./missing.js");
});
