/**
 * The engine's WebAssembly exports as TypeScript sees them: the contract with `crate/src/wasm/bindings.rs`.
 *
 * Invariant: this file and that one change together.
 */

/** The reason why changes cannot be stored now; `EngineStatus.mode` is the same as a word. */
export const Trouble = { None: 0, Full: 1, Displaced: 2, ReadOnly: 3 } as const;

/**
 * The functions that the engine calls outside its WebAssembly: clock, randomness, patterns, scripts. Given when it is
 * opened.
 */
export interface EngineHost {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of any origin, for durations. */
  monotonic(): number;
  /** Whether the command that runs is to end with `Interrupted`; asked some dozens of times a second while one runs. */
  shouldStop(): boolean;
  /** Fills the bytes with randomness. */
  random(bytes: Uint8Array): void;
  /**
   * The first and the last code point of each run of characters with a Unicode property; undefined when there is none
   * of that name.
   */
  unicodeClass(name: string): Uint32Array | undefined;
  /** A zone's offset from UTC at an instant, in seconds; undefined when the zone is unknown. */
  zoneOffsetSeconds(zone: string, millis: number): number | undefined;
  /** A comparison of strings by a language's rules; undefined when this realm has none that is exactly this. */
  collator(
    locale: string,
    sensitivity: "base" | "accent" | "case" | "variant",
    caseFirst: "upper" | "lower" | "false",
    numeric: boolean,
    ignorePunctuation: boolean,
  ): Intl.Collator | undefined;
  /** The host and the port where the server before the engine listens; undefined where there is none. */
  serverName(): string | undefined;
  /**
   * What proves that a client knows a user's password, by a mechanism of signing in: iterations, salt, stored key and
   * server key, the last three in base64, with commas between. Without a user's name the password is the hash with that
   * name already. Undefined where nobody signs in.
   */
  credentials(mechanism: string, user: string, password: string): string | undefined;
  /**
   * The stem of each line of `words`, UTF-8 in lower case, with a line break behind it; behind a carriage return where
   * the line is a stop word. `language` is a number of `crate/stemmers`. Undefined where the languages are to be loaded
   * first. The bytes are good until the next call.
   */
  stems(language: number, words: Uint8Array): Uint8Array | undefined;
  /** Resolves when the languages are there. */
  loadLanguages(): Promise<void>;
  /**
   * Calls a script function; its arguments and its result are canonical Extended JSON. Throws the function's own error,
   * and an error once `limitMillis` milliseconds are over.
   */
  callFunction(
    source: string,
    thisJson: string | undefined,
    argumentsJson: readonly string[],
    limitMillis: number | undefined,
  ): string;
}

/**
 * A file open for reading and writing, which nobody else writes. Each function throws, or rejects, with the system's
 * error and its `code`.
 */
export interface EngineFile {
  /** In bytes. */
  length(): number;
  /** Reads from a place on; gives how many bytes: fewer than there is room for only at the end. */
  read(at: number, bytes: Uint8Array): number;
  /** Writes at a place; gives how many of the bytes were taken. */
  write(at: number, bytes: Uint8Array): number;
  /** Resolves when all that was written is on stable storage. */
  sync(): Promise<void>;
  truncate(length: number): void;
}

/** One open deployment in wasm memory. */
export interface WasmEngine {
  /**
   * Makes room for a command of `length` bytes; gives its address, or 0 when memory has none. A larger room begins with
   * the bytes of the smaller one before it. A length of 0 frees the room.
   */
  commandBuffer(length: number): number;
  /**
   * Runs the command in the room's first bytes; gives where the reply lies until the next call. 0 when it stopped at a
   * page that is not in memory, and changed nothing: `fetchMissing`, then run the same bytes again.
   */
  run(length: number): number;
  fetchMissing(): Promise<void>;
  /** Resolves once no `run` and no `runJson` stops at a missing page, until a `reload`. */
  resident(): Promise<void>;
  replyLength(): number;
  /**
   * After a `run` of a `getMore` with `awaitData` that found nothing yet: how long its reply may be held back, in
   * milliseconds.
   */
  awaitDataMillis(): number | undefined;
  runJson(text: string): string;
  /**
   * Writes all changes that are not stored yet as one batch; resolves when storage confirmed it. Nothing else
   * writes it. Where there was no room the last time, nothing is tried before something changed, unless it is to be
   * tried `again`.
   */
  flush(strict: boolean, again: boolean): Promise<void>;
  /** Drops changes that are not stored and goes on from another tab's commit; for the mode `displaced`. */
  startAnew(): Promise<void>;
  /** Whether the last command asked to be journaled; in memory too. */
  askedJournal(): boolean;
  /** Whether the last command left something to be stored, or asked to be journaled; in memory too. */
  hasChanged(): boolean;
  hasUnsaved(): boolean;
  /** About how many bytes are still to be stored. */
  unsavedBytes(): number;
  /** Running totals in the order of `engine/account.ts`. */
  account(): Float64Array;
  /** Pages that a run's commands touched: `RunOutcome.touched`. Another run is watched from here on if `watch`. */
  takeTouched(watch: boolean): Uint32Array<ArrayBuffer>;
  /**
   * What the commands since the last call changed, where that was gathered: a document `{ written }`, or no bytes. What
   * the next ones change is gathered if `gather`.
   */
  takeWritten(gather: boolean): Uint8Array<ArrayBuffer>;
  /** One of `Trouble`. */
  trouble(): number;
  /** Whether a command asked for journaling that nothing written since has given it. */
  wantsStrict(): boolean;
  /**
   * The changes since the last batch, as bytes for `storeBatch` in another worker; undefined where there are none.
   * Nothing is written here until `endLending`.
   */
  lendBatch(): Uint8Array | undefined;
  /** The other worker stored every lent batch up to this sequence. */
  lentStored(sequence: number): void;
  endLending(stored: boolean): void;
  /** Reads pages which another tab stored since; resolves to whether there were any. */
  reload(): Promise<boolean>;
  status(): unknown;
  free(): void;
}

/** One instance of the engine's WebAssembly. */
export interface WasmModule {
  readonly memory: WebAssembly.Memory;
  readonly QuireEngine: {
    /** How many bytes the engine may have in use; to be called before it is opened. Bounds: `engine/heap.ts`. */
    limitMemory(bytes: number): void;
    /** Has the next deployment present itself as a standalone; to be called before it is opened. */
    presentStandalone(): void;
    openMemory(host: EngineHost): WasmEngine;
    /**
     * Rejects with an error named as the server names codes: `DataCorruptionDetected`, `UnsupportedFormat`,
     * `FileStreamFailed`.
     */
    openIndexedDb(name: string, host: EngineHost): Promise<WasmEngine>;
    /** Throws an error named as `openIndexedDb` names them. */
    openFile(file: EngineFile, host: EngineHost): WasmEngine;
    /**
     * A read-only copy in memory of every readable document of a damaged deployment. Nothing stored is changed, unless
     * it is to be repaired and something was lost: the copy then takes its place, in one transaction. The admin command
     * `quireSalvage` tells the losses: `{ lost: string[], collections: { ns, documents, recovered, lost: string[],
     * lostIndexes: string[] }[] }`.
     */
    openDamaged(name: string, host: EngineHost, repair: boolean): Promise<WasmEngine>;
    /** The same of a deployment in a file, which is only read. */
    openDamagedFile(file: EngineFile, host: EngineHost): WasmEngine;
    /** Stores a batch that an engine in another worker lent. */
    storeBatch(name: string, bytes: Uint8Array): Promise<void>;
  };
}

/** wasm-bindgen's glue as `cargo xtask build` rewrites it (`wasm/engine-glue.js`): each call serves one instance. */
export type MakeGlue = () => {
  readonly imports: WebAssembly.Imports;
  begin(instance: WebAssembly.Instance, module: WebAssembly.Module): WasmModule;
};

/** `WasmEngine.status()`, as far as it is told. */
export interface EngineStatus {
  /**
   * `full`: storage has no room, and a later write may succeed. `displaced`: another tab took over before something was
   * stored here.
   */
  readonly mode?: "indexeddb" | "file" | "memory" | "full" | "displaced" | "read-only";
  readonly reason?: string | null;
  readonly sequence?: number;
  readonly pageBytes?: number;
  readonly clockOffsetMillis?: number;
  /** Pages read from the device since opening. */
  readonly pagesFetched?: number;
}
