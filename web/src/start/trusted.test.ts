/** Which addresses of scripts the policy `quire` lets through. */
import { afterEach, expect, test, vi } from "vitest";
import { scriptAddress } from "./trusted.ts";

/** A realm that knows Trusted Types, at an address and with an origin, as browsers tell them. */
const at = (href: string, origin: string): void => {
  vi.stubGlobal("location", { href, origin: new URL(href).protocol === "file:" ? "file://" : new URL(href).origin });
  vi.stubGlobal("origin", origin);
  vi.stubGlobal("quireScripts", undefined);
  vi.stubGlobal("trustedTypes", { createPolicy: (_: string, rules: object) => rules });
};
afterEach(() => vi.unstubAllGlobals());

test("a page's own scripts, and no others", () => {
  at("https://a.example/page.html", "https://a.example");
  expect(scriptAddress("./worker.js")).toBe("./worker.js");
  expect(scriptAddress("blob:https://a.example/1")).toBe("blob:https://a.example/1");
  for (const address of [
    "https://b.example/worker.js",
    "blob:https://b.example/1",
    "blob:null/1",
    "data:text/javascript,1",
  ])
    expect(() => scriptAddress(address), address).toThrow(TypeError);
});

test("a page on a disk and a sandboxed one, whose scripts in memory have an origin that nobody shares", () => {
  for (const href of ["file:///home/page.html", "https://a.example/frame.html"]) {
    at(href, "null");
    expect(scriptAddress("blob:null/1")).toBe("blob:null/1");
    for (const address of ["data:text/javascript,1", "https://b.example/worker.js"])
      expect(() => scriptAddress(address), address).toThrow(TypeError);
  }
});
