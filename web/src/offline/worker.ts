/**
 * The service worker: keeps the built page, so that it opens without a network after the first visit.
 *
 * Invariants: a version is kept whole or not at all: files whose names carry no hash are compared with the digests
 * known when the page was built, and one that differs (a host in the midst of an update) makes the installation fail,
 * to be tried again. Only files of the page are ever answered; everything else goes to the network. A new version waits
 * until the reader takes it, and the files of the version before it stay for windows that still show it.
 */

/**
 * Filled in by the build: a digest over all files, those whose names carry a hash, and the others with their digests.
 */
declare const QUIRE_VERSION: string;
declare const QUIRE_HASHED: readonly string[];
declare const QUIRE_PLAIN: readonly (readonly [path: string, sha256: string])[];

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Scope {
  readonly registration: { readonly scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(kind: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(kind: "fetch", listener: (event: Fetching) => void): void;
  addEventListener(kind: "message", listener: (event: MessageEvent) => void): void;
}

const worker = globalThis as unknown as Scope;
const { scope } = worker.registration;
/** Several builds may lie beside one another on one origin. */
const family = `quire ${scope} `;
const cacheName = family + QUIRE_VERSION;
const start = new URL("./", scope).href;

const own = (path: string): string => (path === "index.html" ? start : new URL(path, scope).href);

async function fetched(address: string, cache: RequestCache): Promise<Response> {
  const response = await fetch(new Request(address, { cache }));
  if (!response.ok || response.redirected) throw new Error(`${address}: ${response.status}`);
  return response;
}

async function plain([path, digest]: readonly [string, string]): Promise<readonly [string, Response]> {
  const response = await fetched(own(path), "no-cache");
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer()));
  const hex = [...sum].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hex !== digest) throw new Error(`${path} is of another version`);
  return [own(path), response];
}

async function install(): Promise<void> {
  const known = await Promise.all(QUIRE_PLAIN.map(plain));
  const cache = await caches.open(cacheName);
  await Promise.all([
    ...known.map(([address, response]) => cache.put(address, response)),
    ...QUIRE_HASHED.map(async (path) => {
      const address = own(path);
      // A file of that name is the same in every version, so one that is kept need not be fetched.
      await cache.put(address, (await caches.match(address)) ?? (await fetched(address, "default")));
    }),
  ]);
}

/** Lets go of every version but this one and the one before it. */
async function tidy(): Promise<void> {
  const ours = (await caches.keys()).filter((name) => name.startsWith(family) && name !== cacheName);
  await Promise.all(ours.slice(0, -1).map((name) => caches.delete(name)));
}

async function answer(request: Request, address: string): Promise<Response> {
  const cache = await caches.open(cacheName);
  const kept = (await cache.match(address)) ?? (address === start ? undefined : await caches.match(address));
  return kept ?? fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(tidy()));
worker.addEventListener("message", (event) => {
  if (event.data === "take-over") void worker.skipWaiting();
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const address = request.url.replace(/[?#].*$/s, "");
  const page = request.mode === "navigate" && (address === start || address === `${start}index.html`);
  const files = new Set([...QUIRE_HASHED, ...QUIRE_PLAIN.map(([path]) => path)].map(own));
  if (page) event.respondWith(answer(request, start));
  else if (files.has(address) && address !== start) event.respondWith(answer(request, address));
});

export {};
