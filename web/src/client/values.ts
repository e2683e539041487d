/**
 * A script's value for a page: decoded, or worded as the shell prints it.
 *
 * Invariant: pure; never talks to the worker.
 */
import type { Document } from "bson";
import { decode } from "../codec/decode.ts";
import type { ScriptValue } from "../protocol/run.ts";
import { formatTop, type FormatOptions } from "../shell/format.ts";

/** The value inside `{ value: … }`, with every number's type kept. */
export function decodeValue(bytes: Uint8Array): unknown {
  return decode(bytes, { numbers: "typed" })["value"];
}

/** A script's value as the shell would print it; a cursor's documents as a list. */
export function valueText(value: ScriptValue, options?: FormatOptions): string {
  switch (value.kind) {
    case "none":
      return "";
    case "text":
      return value.text;
    case "value":
      return formatTop(decodeValue(value.bytes), options);
    case "cursor": {
      const { cursor } = decode(value.reply, { numbers: "typed" }) as unknown as {
        cursor: { firstBatch?: unknown[]; nextBatch?: unknown[]; id: unknown };
      };
      const documents = cursor.firstBatch ?? cursor.nextBatch ?? [];
      if (documents.length === 0) return "";
      return formatTop(documents, options) + (String(cursor.id) === "0" ? "" : '\nType "it" for more');
    }
  }
}

/** Whether a decoded value is an explain reply, to be drawn as a plan. */
export function isExplain(value: unknown): value is Document {
  return (
    typeof value === "object" &&
    value !== null &&
    ("queryPlanner" in value || ("stages" in value && "explainVersion" in value))
  );
}
