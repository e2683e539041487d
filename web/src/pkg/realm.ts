/**
 * Where this package's code runs (a browser, Node), by the globals that a client needs there.
 *
 * Invariant: a global of a browser's name is no browser. Bun and Deno have a `Worker` that takes other addresses and a
 * `navigator`, Node's test runners play a whole page (jsdom) and may play IndexedDB too. So the globals by which a
 * server's runtime names itself (`process`, `Deno`) count before them.
 */

interface Realm {
  readonly process?: { readonly type?: string; readonly versions?: { readonly node?: string } };
  readonly Deno?: unknown;
  readonly location?: { readonly href?: string };
  readonly Worker?: unknown;
}

/** The kinds of process in which Electron shows pages: those have a Node beside their browser. */
const PAGES = ["renderer", "worker"];

/** Whether this is a page or a worker of a browser, whose IndexedDB keeps data. */
export function isBrowser(realm: Realm = globalThis): boolean {
  const { process, location } = realm;
  const isNode = process?.versions?.node !== undefined && !PAGES.includes(process.type ?? "");
  return !isNode && realm.Deno === undefined && typeof location?.href === "string";
}

/** Whether it can start a worker of this package. */
export function hasWorkers(realm: Realm = globalThis): boolean {
  return isBrowser(realm) && typeof realm.Worker === "function";
}
