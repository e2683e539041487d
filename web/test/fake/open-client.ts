/**
 * A client without an engine: it answers a few scripts by what they contain, to look at the page in every state.
 * `?fake=` chooses the state: `empty`, `memory`, `read-only`, `failed`, `opening`, `saving`.
 *
 * Invariant: only `--mode fake` builds contain it.
 */
import { serialize, type Document } from "bson";
import type { CursorBatch, QuireClient, QuireClientEvents } from "../../src/client/client.ts";
import type { RunOutcome, ScriptError } from "../../src/protocol/run.ts";
import type { DeploymentState } from "../../src/protocol/state.ts";
import { catalog, explainReply, products } from "./data.ts";

export const isBegun = (): boolean => false;

const mode = new URLSearchParams(location.search).get("fake") ?? "";

const state: DeploymentState = {
  name: "playground",
  mode:
    mode === "memory" || mode === "read-only" || mode === "full" ? mode : mode === "damaged" ? "memory" : "indexeddb",
  reason:
    mode === "memory"
      ? "This browser gives private windows no storage."
      : mode === "damaged"
        ? "page 0 is corrupt: the header is missing although pages are stored"
        : mode === "read-only"
          ? "QuotaExceededError: the disk is full"
          : mode === "full"
            ? "the browser gives this site no more storage; what frees room is still allowed"
            : null,
  damaged: mode === "damaged",
  lost: mode === "lost" ? { how: "displaced", times: 1 } : null,
  saved: !["saving", "memory", "full", "damaged"].includes(mode),
  sequence: 128,
  memoryBytes: 4_400_000,
  pageBytes: 2_588_672,
  clockOffsetMillis: mode === "saving" ? 3_600_000 : 0,
  gentleStop: true,
};

export async function openPlayground(): Promise<QuireClient> {
  if (mode === "failed")
    throw new Error("WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance");
  if (mode === "opening") await new Promise<never>(() => undefined);
  return new FakeClient();
}

const noStatistics = { commands: 0, elapsedMillis: 0, engineMillis: 0 };

class FakeClient implements QuireClient {
  readonly state = state;

  on<Name extends keyof QuireClientEvents>(
    _name: Name,
    _listener: (event: QuireClientEvents[Name]) => void,
  ): () => void {
    return () => undefined;
  }

  run(
    source: string,
    options: { readonly database: string },
    onProgress?: (progress: {
      printed: readonly string[];
      leftOut: number;
      commands: number;
      elapsedMillis: number;
    }) => void,
  ): ReturnType<QuireClient["run"]> {
    const base: RunOutcome = {
      value: { kind: "none" },
      statements: [],
      statementsLeftOut: 0,
      printed: [],
      leftOut: 0,
      error: null,
      failed: null,
      database: options.database,
      saved: state.saved,
      kept: null,
      statistics: { commands: 4, elapsedMillis: 12.4, engineMillis: 3.1 },
    };
    if (source.includes("while")) return this.endless(base, onProgress);
    return { outcome: Promise.resolve(answer(source, base)), stop: () => undefined };
  }

  private endless(
    base: RunOutcome,
    onProgress?: (progress: {
      printed: readonly string[];
      leftOut: number;
      commands: number;
      elapsedMillis: number;
    }) => void,
  ): ReturnType<QuireClient["run"]> {
    let stop: () => void = () => undefined;
    const outcome = new Promise<RunOutcome>((resolve) => {
      stop = () =>
        resolve({
          ...base,
          error: failure("ScriptStopped", "the script was stopped", null, null),
          statistics: { ...noStatistics, elapsedMillis: 2400 },
        });
    });
    onProgress?.({ printed: ["still going"], leftOut: 0, commands: 1204, elapsedMillis: 50 });
    return { outcome, stop };
  }

  async act(): ReturnType<QuireClient["act"]> {
    return { reply: null, kept: { number: null, changes: null, unkept: null }, from: null };
  }

  async travel(): ReturnType<QuireClient["travel"]> {
    return { kind: "nothing", why: "first" };
  }

  async command(_database: string, command: Document): Promise<Document> {
    const explained = command["explain"] as Document | undefined;
    if (explained !== undefined)
      return explainReply(
        String(explained["find"]),
        !("slug" in ((explained["filter"] as Document | undefined) ?? { slug: 1 })),
      );
    return { ok: 1 };
  }

  async stored(): Promise<DeploymentState> {
    return this.state;
  }

  async commandBytes(): Promise<Uint8Array> {
    return serialize({ ok: 1 });
  }

  firstBatch(cursor: { readonly command: Uint8Array; readonly reply: Uint8Array }): CursorBatch {
    const size = cursor.reply.length;
    return {
      documents: products.slice(0, Math.min(20, size)),
      namespace: "test.products",
      cursorId: size > 20 ? 7n : 0n,
    };
  }

  async more(batch: CursorBatch): Promise<CursorBatch> {
    return { ...batch, documents: products.slice(20, 40), cursorId: 0n };
  }

  async listDatabases() {
    return mode === "empty" ? [] : catalog.map(({ summary }) => summary);
  }

  async listCollections(database: string) {
    return catalog.find(({ summary }) => summary.name === database)?.collections ?? [];
  }

  async close(): Promise<void> {}
}

function failure(
  name: string,
  message: string,
  line: number | null,
  column: number | null,
  code: number | null = null,
  codeName: string | null = null,
): ScriptError {
  return {
    name,
    message,
    text: `${name}${codeName === null ? "" : `[${codeName}]`}: ${message}`,
    code,
    codeName,
    line,
    column,
  };
}

/** Judged by the last line, as the shell's value is. */
function answer(source: string, base: RunOutcome): RunOutcome {
  const last = source.trim().split("\n").pop() ?? "";
  const printed = [...source.matchAll(/print\("([^"]*)"\)/g)].map((match) => match[1] ?? "");
  const lines = source.split("\n");
  const at = lines.findIndex((line) => line.includes("oops"));
  if (at >= 0)
    return {
      ...base,
      printed,
      error: failure("ReferenceError", "oops is not defined", at + 1, (lines[at] ?? "").indexOf("oops") + 1),
    };
  if (last.includes("insertOne")) {
    const error = failure(
      "MongoServerError",
      'E11000 duplicate key error collection: test.products index: slug_1 dup key: { slug: "wheelbarrow-9092" }',
      lines.length - 1,
      1,
      11000,
      "DuplicateKey",
    );
    return { ...base, printed, error };
  }
  if (last.includes("explain"))
    return {
      ...base,
      printed,
      value: { kind: "value", bytes: serialize({ value: explainReply("products", last.includes("soil")) }) },
    };
  if (last.includes("findOne"))
    return { ...base, printed, value: { kind: "value", bytes: serialize({ value: products[0] ?? null }) } };
  if (last.includes("find")) {
    const scan = last.includes("soil");
    const size = last.includes("nothing") ? 0 : scan ? 15 : 45;
    return {
      ...base,
      printed,
      value: {
        kind: "cursor",
        command: serialize({
          find: "products",
          filter: scan ? { tags: "soil" } : { slug: /^wheelbarrow/ },
          $db: "test",
        }),
        reply: new Uint8Array(size),
      },
    };
  }
  if (last.includes("help"))
    return { ...base, printed, value: { kind: "text", text: "show dbs\nshow collections\nuse <name>\nit" } };
  return { ...base, printed };
}
