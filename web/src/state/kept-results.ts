/**
 * A run's result as something to keep over a reload, and back.
 *
 * Invariants: pure; values are BSON, so that their types come back as they were. A value that is too large is cut (a
 * cursor's documents) or left out (another value), and says so when it is back; a cursor comes back closed. A kept
 * result is checked field by field and never breaks the page: one of another version, or changed, is no leaf.
 */
import type { Document } from "bson";
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import type { Account } from "../engine/account.ts";
import { WRITTEN_KINDS, type Written } from "../protocol/run.ts";
import { keptJudgement } from "./doubts/kept-judgement.ts";
import type { Fetched } from "./fetched.ts";
import { documentsLeft, startOfLast, type Insight, type Leaf, type LeafStatement, type LeafValue } from "./model.ts";
import { readPlain } from "./plain-read.ts";
import { resultViews } from "./settings.ts";
import { fieldOf } from "./values.ts";

/** One leaf as it is kept: its words as JSON, its values as BSON. The words name values by their positions. */
export interface KeptLeaf {
  readonly words: string;
  readonly values: readonly Uint8Array[];
}

/** The version of `KeptLeaf`'s format: raise it with each change of the fields that a kept leaf holds. */
const version = 4;
/** Bytes of one run's values. */
export const mostBytes = 2 * 1024 * 1024;
/** Bytes of a plan that are worth keeping, and of the plans of a run's plain values together. */
const mostPlan = 128 * 1024;
const mostPlans = 1024 * 1024;
const printedLines = 1000;
const printedCharacters = 100_000;

/** A kept leaf has a field that this page did not write. */
class Foreign extends Error {}

/** Bytes that a kept leaf takes. */
export function sizeOf({ words, values }: KeptLeaf): number {
  return values.reduce((total, bytes) => total + bytes.length, words.length * 2);
}

/** The leaf as it can be kept. `most` bytes for its values. */
export function packLeaf(leaf: Leaf, most = mostBytes): KeptLeaf {
  const values: Uint8Array[] = [];
  const from = startOfLast(leaf.printed, printedLines, printedCharacters);
  const { printed, printedDropped, value, statements, insight, kept, ...plain } = leaf;
  const packed = packValue(value, values, most);
  const words = {
    version,
    ...plain,
    moment: kept?.number ?? leaf.moment ?? null,
    printed: printed.slice(from),
    printedDropped: printedDropped + from,
    value: packed,
    statements: packStatements(leaf, values, most),
    insight: packInsight(insight, values),
  };
  return { words: JSON.stringify(words), values };
}

/** A leaf packed with the bytes of `packed`, which has the same value and plan: folding it costs no bytes anew. */
export function repackLeaf(leaf: Leaf, packed: KeptLeaf): KeptLeaf {
  const { value, statements, insight } = JSON.parse(packed.words) as Readonly<Record<string, unknown>>;
  const { words } = packLeaf({ ...leaf, value: { kind: "none" }, statements: [], insight: { kind: "none" } });
  // What was judged since is no value.
  const judged = (Array.isArray(statements) ? (statements as readonly object[]) : []).map((statement, index) => {
    const { missed = null, judged: now } = leaf.statements[index] ?? {};
    return { ...statement, missed, ...(now === undefined ? {} : { judged: now }) };
  });
  const whole = { ...(JSON.parse(words) as object), value, statements: judged, insight };
  return { words: JSON.stringify(whole), values: packed.values };
}

/** The open statement's value is the leaf's; the others share the bytes that it leaves. */
function packStatements(leaf: Leaf, values: Uint8Array[], most: number): readonly object[] {
  const { statements, open } = leaf;
  const packed = statements.map((statement, index) => {
    const taken = values.reduce((total, bytes) => total + bytes.length, 0);
    const value = index === open ? { kind: "none" } : packValue(statement.value, values, Math.max(0, most - taken));
    const { observed: _observed, alone: _alone, ...plain } = statement;
    return { ...plain, value };
  });
  const reads = packReads(leaf, values, Math.min(mostPlans, Math.max(mostPlan, most)));
  return packed.map((statement, index) => ({ ...statement, read: reads.get(index) ?? null }));
}

/** How plain values were read, by statement, in `most` bytes, of which the open statement has the first. */
function packReads({ statements, open }: Leaf, values: Uint8Array[], most: number): ReadonlyMap<number, object> {
  const packed = new Map<number, object>();
  let left = most;
  for (const index of [...statements.keys()].toSorted((one, other) => Number(other === open) - Number(one === open))) {
    const { observed, alone } = statements[index] as LeafStatement;
    if (observed === undefined || alone === undefined) continue;
    const size = observed.length + alone.command.length;
    if (size > Math.min(mostPlan, left)) continue;
    left -= size;
    const { command, following, ended } = alone;
    packed.set(index, { observed: values.push(observed) - 1, command: values.push(command) - 1, following, ended });
  }
  return packed;
}

/** A plain value's insight is read from its statement again, as where another statement is opened. */
function packInsight(insight: Insight, values: Uint8Array[]): number | "plain" | null {
  if (insight.kind !== "explained") return null;
  if (insight.plain !== undefined) return "plain";
  const { explain, observed } = insight;
  const bytes = attempt(() => encode(observed == null ? { explain } : { explain, observed }));
  return bytes === null || bytes.length > mostPlan ? null : values.push(bytes) - 1;
}

function packValue(value: LeafValue, values: Uint8Array[], most: number): object {
  switch (value.kind) {
    case "none":
      return value;
    case "text":
      return value.text.length > most ? { kind: "lost" } : value;
    case "lost":
      return value;
    case "value": {
      const bytes = attempt(() => encode({ value: value.value }));
      if (bytes === null || bytes.length > most) return { kind: "lost" };
      return { kind: "value", at: values.push(bytes) - 1 };
    }
    case "cursor": {
      const left = documentsLeft(value);
      const command = values.push(value.cursor.command) - 1;
      const documents: Uint8Array[] = [];
      let size = 0;
      for (const document of left) {
        const bytes = attempt(() => encode(document));
        if (bytes === null || size + bytes.length > most) break;
        size += bytes.length;
        documents.push(bytes);
      }
      return {
        kind: "cursor",
        command,
        at: values.push(joined(documents, size)) - 1,
        count: documents.length,
        namespace: value.batch.namespace,
        of: value.ended?.of ?? left.length,
        more: value.ended?.more ?? value.batch.cursorId !== 0n,
        fetched: value.fetched == null ? null : { ...value.fetched, pages: null },
      };
    }
  }
}

/** The pieces as one array, since a browser takes long to store many. */
function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** BSON documents that lie one behind the other. */
function apart(whole: Uint8Array): readonly Document[] {
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  const documents: Document[] = [];
  for (let at = 0; at < whole.length; ) {
    const length = view.getInt32(at, true);
    if (length < 5 || at + length > whole.length) throw new Foreign("length");
    documents.push(typed(whole.subarray(at, at + length)));
    at += length;
  }
  return documents;
}

/** The result of `make`; null where it throws, as for a value that BSON cannot hold. */
function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}

/** A kept leaf as the page shows it; null where it is none. */
export function unpackLeaf(kept: unknown): Leaf | null {
  try {
    const words = fieldOf(kept, "words");
    const values = fieldOf(kept, "values");
    if (typeof words !== "string" || !Array.isArray(values)) return null;
    const found: unknown = JSON.parse(words);
    return fieldOf(found, "version") === version ? leafOf(found, values) : null;
  } catch {
    return null;
  }
}

/** Reads a field that has to be of a type. */
function given<T>(holder: unknown, name: string, is: (value: unknown) => value is T): T {
  const value = fieldOf(holder, name);
  if (!is(value)) throw new Foreign(name);
  return value;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
const orNull =
  <T>(is: (value: unknown) => value is T) =>
  (value: unknown): value is T | null =>
    value === null || is(value);

function leafOf(found: unknown, values: readonly unknown[]): Leaf {
  const view = fieldOf(found, "view");
  const offset = fieldOf(found, "offset");
  const value = valueOf(fieldOf(found, "value"), values);
  const open = given(found, "open", orNull(isCount));
  const statements = given(found, "statements", isList).map((statement, index) =>
    statementOf(statement, index === open ? value : valueOf(fieldOf(statement, "value"), values), values),
  );
  return {
    number: given(found, "number", isCount),
    tab: given(found, "tab", isCount),
    source: given(found, "source", isText),
    offset: { line: given(offset, "line", isCount), column: given(offset, "column", isCount) },
    database: given(found, "database", isText),
    ranAt: given(found, "ranAt", isCount),
    state: "done",
    printed: given(found, "printed", isTexts),
    printedDropped: given(found, "printedDropped", isCount),
    value,
    statements,
    statementsLeftOut: given(found, "statementsLeftOut", isCount),
    result: given(found, "result", orNull(isCount)),
    open,
    error: errorOf(fieldOf(found, "error")),
    failed: failedOf(fieldOf(found, "failed")),
    statistics: statisticsOf(fieldOf(found, "statistics")),
    saved: given(found, "saved", isFlag),
    // The run's moment may have been dropped meanwhile: whether the run can be undone is seen when the engine is open.
    kept: null,
    ...momentOf(given(found, "moment", orNull(isCount))),
    undone: given(found, "undone", isFlag),
    insight: insightOf(fieldOf(found, "insight"), values, statements[open ?? -1]),
    collectionHint: missedOf(fieldOf(found, "collectionHint")),
    view: view === "plan" || view === "map" ? view : (resultViews.find((name) => name === view) ?? null),
    folded: given(found, "folded", isFlag),
  };
}

const momentOf = (moment: number | null): Pick<Leaf, "moment"> => (moment === null ? {} : { moment });

const isWrittenKind = (value: unknown): value is Written["kind"] => WRITTEN_KINDS.some((kind) => kind === value);

function writtenOf(found: unknown): readonly Written[] {
  return given(found, "written", isList).map((one) => ({
    kind: given(one, "kind", isWrittenKind),
    namespace: given(one, "namespace", isText),
    count: given(one, "count", isCount),
    ...(fieldOf(one, "from") === undefined ? {} : { from: given(one, "from", isText) }),
  }));
}

function statementOf(found: unknown, value: LeafValue, values: readonly unknown[]): LeafStatement {
  const count = (name: string): number => given(found, name, isCount);
  const account = fieldOf(found, "account");
  const cost = (name: keyof Account): number => given(account, name, isCount);
  return {
    line: count("line"),
    column: count("column"),
    endLine: count("endLine"),
    endColumn: count("endColumn"),
    value,
    elapsedMillis: given(found, "elapsedMillis", isNumber),
    engineMillis: given(found, "engineMillis", isNumber),
    commands: count("commands"),
    account: {
      keysExamined: cost("keysExamined"),
      documentsExamined: cost("documentsExamined"),
      pagesRead: cost("pagesRead"),
      pagesWritten: cost("pagesWritten"),
      documentsInserted: cost("documentsInserted"),
      documentsUpdated: cost("documentsUpdated"),
      documentsDeleted: cost("documentsDeleted"),
    },
    written: writtenOf(found),
    printedUntil: count("printedUntil"),
    missed: missedOf(fieldOf(found, "missed")),
    ...judgedOf(fieldOf(found, "judged")),
    ...readOf(fieldOf(found, "read"), values),
  };
}

function readOf(found: unknown, values: readonly unknown[]): Pick<LeafStatement, "observed" | "alone"> {
  if (found === null) return {};
  return {
    observed: bytesAt(values, given(found, "observed", isCount)),
    alone: {
      command: bytesAt(values, given(found, "command", isCount)),
      following: given(found, "following", isCount),
      ended: given(found, "ended", isFlag),
    },
  };
}

function failedOf(found: unknown): Leaf["failed"] {
  if (found === null || found === undefined) return null;
  const count = (name: string): number => given(found, name, isCount);
  return {
    line: count("line"),
    column: count("column"),
    endLine: count("endLine"),
    endColumn: count("endColumn"),
    written: writtenOf(found),
  };
}

function errorOf(found: unknown): Leaf["error"] {
  if (found === null) return null;
  return {
    ...(found as NonNullable<Leaf["error"]>),
    name: given(found, "name", isText),
    message: given(found, "message", isText),
    text: given(found, "text", isText),
    code: given(found, "code", orNull(isNumber)),
    codeName: given(found, "codeName", orNull(isText)),
    line: given(found, "line", orNull(isNumber)),
    column: given(found, "column", orNull(isNumber)),
  };
}

function judgedOf(found: unknown): Pick<LeafStatement, "judged"> {
  const judged = keptJudgement(found);
  return judged === null ? {} : { judged };
}

function missedOf(found: unknown): Leaf["collectionHint"] {
  if (found === null || found === undefined) return null;
  return {
    wrong: given(found, "wrong", isText),
    right: given(found, "right", isText),
    elsewhere: given(found, "elsewhere", isFlag),
  };
}

function statisticsOf(found: unknown): Leaf["statistics"] {
  if (found === null) return null;
  return {
    ...(found as NonNullable<Leaf["statistics"]>),
    commands: given(found, "commands", isCount),
    elapsedMillis: given(found, "elapsedMillis", isNumber),
    engineMillis: given(found, "engineMillis", isNumber),
  };
}

function fetchedOf(found: unknown): Fetched | null {
  if (found === null || found === undefined) return null;
  return {
    batches: given(found, "batches", isCount),
    documents: given(found, "documents", isCount),
    keysExamined: given(found, "keysExamined", isCount),
    documentsExamined: given(found, "documentsExamined", isCount),
    millis: given(found, "millis", isNumber),
    pagesRead: given(found, "pagesRead", isCount),
    differentPages: given(found, "differentPages", orNull(isCount)),
    pages: null,
  };
}

function bytesAt(values: readonly unknown[], at: number): Uint8Array {
  const bytes = values[at];
  if (!(bytes instanceof Uint8Array)) throw new Foreign(`value ${at}`);
  return bytes;
}

const typed = (bytes: Uint8Array): Document => decode(bytes, { numbers: "typed" });

function insightOf(found: unknown, values: readonly unknown[], opened: LeafStatement | undefined): Insight {
  if (found === null) return { kind: "none" };
  if (found === "plain") {
    const read = opened === undefined ? null : readPlain(opened);
    if (read === null) return { kind: "none" };
    const { explain, observed, ...plain } = read;
    return { kind: "explained", explain, observed, plain };
  }
  if (!isCount(found)) throw new Foreign("insight");
  const { explain, observed } = typed(bytesAt(values, found)) as { explain?: Document; observed?: Document };
  if (explain === undefined) return { kind: "none" };
  return observed === undefined ? { kind: "explained", explain } : { kind: "explained", explain, observed };
}

function valueOf(found: unknown, values: readonly unknown[]): LeafValue {
  switch (fieldOf(found, "kind")) {
    case "none":
      return { kind: "none" };
    case "lost":
      return { kind: "lost" };
    case "text":
      return { kind: "text", text: given(found, "text", isText) };
    case "value":
      return { kind: "value", value: typed(bytesAt(values, given(found, "at", isCount)))["value"] };
    case "cursor": {
      const at = given(found, "at", isCount);
      const count = given(found, "count", isCount);
      const documents = apart(bytesAt(values, at));
      const of = given(found, "of", isCount);
      const more = given(found, "more", isFlag);
      const command = bytesAt(values, given(found, "command", isCount));
      if (count !== documents.length) throw new Foreign("count");
      return {
        kind: "cursor",
        cursor: { kind: "cursor", command, reply: new Uint8Array(0) },
        batch: { documents: [], namespace: given(found, "namespace", isText), cursorId: 0n },
        documents,
        gone: [],
        fetching: false,
        failure: null,
        ended: more || of > count ? { of, more } : null,
        fetched: fetchedOf(fieldOf(found, "fetched")),
      };
    }
    default:
      throw new Foreign("value");
  }
}
