/**
 * The facts of a server's error besides its message, for a page that draws them: which keys met, which rules a document
 * breaks, and the statement that was refused.
 *
 * Invariants: an error's own members stay those of mongosh, since the facts are kept beside it; a detail is bounded,
 * and a statement that is too long is left out and said to be.
 */
import { stringify } from "./ejson.ts";
import { MongoServerError, type Document } from "./errors.ts";

/** The write that a server refused. */
export interface Refused {
  readonly namespace: string;
  /** The document to insert, or `{ q, u }`. */
  readonly statement: unknown;
  /** The server's words, where the error has not got them itself: the first failure of a batch. */
  readonly error?: Document;
  /** How many writes of a batch failed. */
  readonly failures?: number;
}

/** Most characters of Extended JSON that a statement may have to be told. */
const longest = 100_000;

const known = new WeakMap<object, Refused>();

/** Keeps beside an error which write it is about; gives the error. */
export function about<Thrown extends MongoServerError>(error: Thrown, refused: Refused): Thrown {
  known.set(error, refused);
  return error;
}

/** An error's detail as canonical Extended JSON; undefined where there is none. */
export function detailOf(error: Error): string | undefined {
  if (!(error instanceof MongoServerError)) return undefined;
  const refused = known.get(error);
  const reply = refused?.error ?? error.errorResponse;
  const { keyPattern, keyValue, errInfo, errmsg, message } = reply;
  if (keyPattern === undefined && errInfo === undefined) return undefined;
  const told: Document = { message: errmsg ?? message };
  for (const [key, value] of Object.entries({ keyPattern, keyValue, errInfo }))
    if (value !== undefined) told[key] = value;
  if (refused === undefined) return wordDetail(told);
  told["namespace"] = refused.namespace;
  if (refused.failures !== undefined) Object.assign(told, { failures: refused.failures, index: reply["index"] });
  const { statement } = refused;
  return wordDetail({ ...told, statement }) ?? wordDetail({ ...told, statementLeftOut: true });
}

/** Undefined where it is too long, or holds something that is no BSON. */
function wordDetail(detail: Document): string | undefined {
  try {
    const text = stringify(detail, { keepDoubles: true, numbersAsDouble: false });
    return text.length > longest ? undefined : text;
  } catch {
    return undefined;
  }
}
