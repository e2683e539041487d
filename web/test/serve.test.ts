/** The static server: what lies in its folders, and nothing else. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type Served } from "../scripts/serve.mjs";

const folder = mkdtempSync(join(tmpdir(), "quire-serve-"));
let served: Served;
beforeAll(async () => {
  mkdirSync(join(folder, "site/a b"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(folder, "site-secret.txt"), "secret");
  writeFileSync(join(folder, "site/index.html"), "<p>home</p>");
  writeFileSync(join(folder, "site/a b/x.js"), "x");
  served = await serve(
    { "/under/": join(folder, "site") },
    { headers: (path) => ({ "x-path": encodeURI(path) }), pages: { "/own.html": "<p>own</p>" } },
  );
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

/** As it is asked, which `fetch` would tidy before. */
function ask(
  path: string,
  method = "GET",
): Promise<{ status: number; body: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port: served.port, host: "127.0.0.1", path, method }, (response) => {
      let body = "";
      response.on("data", (data) => (body += String(data)));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }));
    });
    sent.on("error", reject).end();
  });
}

describe("the static server", () => {
  it.each([
    ["/under/", "<p>home</p>", "text/html; charset=utf-8"],
    ["/under/index.html?x=1#y", "<p>home</p>", "text/html; charset=utf-8"],
    ["/under/a%20b/x.js", "x", "text/javascript; charset=utf-8"],
    ["/own.html", "<p>own</p>", "text/html; charset=utf-8"],
  ])("serves %s", async (path, body, type) => {
    const answer = await ask(path);
    expect([answer.status, answer.body]).toEqual([200, body]);
    expect(answer.headers).toMatchObject({ "content-type": type, "content-length": String(body.length) });
    expect(answer.headers["x-path"]).toBe(encodeURI(decodeURIComponent(path.replace(/[?#].*/, ""))));
    expect(await ask(path, "HEAD")).toMatchObject({ status: 200, body: "" });
  });

  it.each([
    "/",
    "/index.html",
    "/under",
    "/under/none.js",
    "/under/a%20b",
    "/under/../secret.txt",
    "/under/%2e%2e/secret.txt",
    "/under/%2e%2e/site-secret.txt",
    "/under/a%20b/../../../secret.txt",
    "/under/%zz",
    "/under/x%00.js",
    "/toString",
  ])("has nothing at %s", async (path) => expect((await ask(path)).status).toBe(404));

  it("is not written to", async () => expect((await ask("/under/index.html", "PUT")).status).toBe(405));

  it("rejects where the port is taken", async () => {
    await expect(serve({ "/": folder }, { port: served.port })).rejects.toThrow("EADDRINUSE");
  });
});
