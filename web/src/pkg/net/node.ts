/**
 * What MongoDB's drivers take from Node's other modules, for a page: `assert`, `async_hooks`, `child_process`,
 * `crypto`, `diagnostics_channel`, `dns`, `fs`, `http`, `os`, `timers`, `url`, `util` and `zlib` in one, since no two
 * of them give a name with two meanings here.
 *
 * Invariant: what a page cannot do is an error that says so, once it is asked for.
 */
import { inspect } from "./inspect.ts";

const cannot = (what: string) => (): never => {
  throw new Error(`${what} is Node's, and there is no Node in a page`);
};
const cannotLater = (what: string) => async (): Promise<never> => cannot(what)();

// assert
export function ok(value: unknown, message?: string): void {
  if (!value) throw new Error(message ?? "an assertion failed");
}

// async_hooks, of which mongoose makes one where `transactionAsyncLocalStorage` is asked for
export class AsyncLocalStorage {
  constructor() {
    cannot("AsyncLocalStorage")();
  }
}

// child_process, http
export const spawn = cannot("child_process.spawn");
export const request = cannot("http.request");

// crypto
export const webcrypto = globalThis.crypto;
export const subtle = webcrypto?.subtle;
type Bytes = Uint8Array<ArrayBuffer>;
export function randomBytes(count: number, done?: (error: null, bytes: Bytes) => void): Bytes {
  const { Buffer: made } = globalThis as unknown as { readonly Buffer: { from(bytes: Bytes): Bytes } };
  const bytes = made.from(webcrypto.getRandomValues(new Uint8Array(count)));
  if (done !== undefined) queueMicrotask(() => done(null, bytes));
  return bytes;
}
export const randomFillSync = (bytes: Bytes): Bytes => webcrypto.getRandomValues(bytes);
export const createHash = cannot("crypto.createHash");
export const createHmac = cannot("crypto.createHmac");
export const createSign = cannot("crypto.createSign");
export const pbkdf2 = cannot("crypto.pbkdf2");
export const pbkdf2Sync = cannot("crypto.pbkdf2Sync");
export const timingSafeEqual = cannot("crypto.timingSafeEqual");
export const getFips = (): number => 0;

// dns, fs
const srv = "a mongodb+srv address: its DNS";
export const resolveSrv = cannotLater(srv);
export const resolveTxt = cannotLater(srv);
export const lookup = cannot("dns.lookup");
export const access = cannotLater("fs.access");
export const readFile = cannotLater("fs.readFile");
export const createReadStream = cannot("fs.createReadStream");
export const promises = { access, lookup: cannotLater("dns.lookup"), readFile, resolveSrv, resolveTxt };

// os
export const arch = (): string => "wasm";
export const endianness = (): string => "LE";
export const platform = (): string => "browser";
export const release = (): string => "";
export const type = (): string => "browser";

// timers, url
const [set, clear] = [globalThis.setTimeout.bind(globalThis), globalThis.clearTimeout.bind(globalThis)];
export { clear as clearTimeout, set as setTimeout };
const { URL: Url, URLSearchParams: Search } = globalThis;
export { Search as URLSearchParams, Url as URL };
export const domainToASCII = (name: string): string => new Url(`http://${name}`).hostname;

// util
export { inspect };
export const debuglog = (): (() => void) => () => undefined;
export const deprecate = <Work>(work: Work): Work => work;
export function format(...given: readonly unknown[]): string {
  return given.map((one) => (typeof one === "string" ? one : inspect(one))).join(" ");
}
export function inherits(child: { prototype: object; super_?: unknown }, parent: { prototype: object }): void {
  child.super_ = parent;
  Object.setPrototypeOf(child.prototype, parent.prototype);
}
type Done = (error: unknown, value: unknown) => void;
export const promisify =
  (work: (...given: unknown[]) => unknown) =>
  (...given: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const done: Done = (error, value) => (error ? reject(error as Error) : resolve(value));
      work(...given, done);
    });

// zlib: a deployment in a page agrees to no compression
export const constants = {};
export const deflate = cannot("zlib.deflate");
export const inflate = cannot("zlib.inflate");
export const gunzipSync = cannot("zlib.gunzipSync");
export const inflateSync = cannot("zlib.inflateSync");
