/**
 * The stems and stop words of languages, for text indexes: a WebAssembly of its own, which is fetched when a language
 * is first used and serves all engines of a realm.
 *
 * A command is synchronous. On a server the file is read in its midst, and in a worker it is fetched there; on a page
 * the command is stopped, and run again once the file is there (`fetchMissing`). Invariant: the answers depend on
 * nothing but the questions.
 */
import type { EngineHost } from "./bindings.ts";
import { compile } from "./load.ts";

/** Gives the file: bytes, an address, or a promise of one. */
export type LanguagesSource = () => unknown;

/** What `crate/stemmers` exports. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  room(length: number): number;
  stems(language: number): number;
  answer(): number;
}

let known: Exports | null = null;

function begin(code: WebAssembly.Module): Exports {
  known = new WebAssembly.Instance(code).exports as unknown as Exports;
  return known;
}

/** Whether this realm may wait for a request. */
const mayWait = (): boolean =>
  typeof XMLHttpRequest !== "undefined" &&
  typeof (globalThis as { importScripts?: unknown }).importScripts === "function";

/** The file's code, where it can be had at once. */
function codeNow(file: unknown): WebAssembly.Module | undefined {
  if (ArrayBuffer.isView(file)) return new WebAssembly.Module(file as BufferSource);
  if (!(typeof file === "string" || file instanceof URL) || !mayWait()) return undefined;
  const request = new XMLHttpRequest();
  request.open("GET", file, false);
  request.responseType = "arraybuffer";
  request.send();
  // A page on a disk has no status.
  if (request.status !== 200 && request.status !== 0) throw new Error(`${String(file)}: ${request.status}`);
  return new WebAssembly.Module(request.response as ArrayBuffer);
}

const NO_LANGUAGES = 'there are no languages here: a text index needs default_language "none"';

/** The host's part about languages; without a source there are none. */
export function languages(source?: LanguagesSource): Pick<EngineHost, "stems" | "loadLanguages"> {
  return {
    stems(language, words) {
      if (source === undefined) throw new Error(NO_LANGUAGES);
      let there = known;
      if (there === null) {
        const code = codeNow(source());
        if (code === undefined) return undefined;
        there = begin(code);
      }
      // Memory moves when it grows.
      const room = there.room(words.length);
      new Uint8Array(there.memory.buffer, room, words.length).set(words);
      const length = there.stems(language);
      return new Uint8Array(there.memory.buffer, there.answer(), length);
    },
    async loadLanguages() {
      if (known === null && source !== undefined) begin(await compile(source()));
    },
  };
}
