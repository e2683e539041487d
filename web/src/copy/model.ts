/**
 * A statement of a script as data: its collection, and literal values by their BSON type.
 *
 * Invariants: nothing in it depends on the script's language or on a driver's; keys of a document are in the order in
 * which the shell would send them.
 */
export type Value =
  | { readonly kind: "null" | "now" | "new-object-id" | "new-uuid" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "int32" | "double"; readonly value: number }
  | { readonly kind: "int64" | "decimal" | "string" | "object-id" | "uuid"; readonly value: string }
  | { readonly kind: "date"; readonly millis: number }
  | { readonly kind: "regex"; readonly pattern: string; readonly options: string }
  | DocumentValue
  | ArrayValue;

export interface DocumentValue {
  readonly kind: "document";
  readonly fields: readonly (readonly [string, Value])[];
}

export interface ArrayValue {
  readonly kind: "array";
  readonly items: readonly Value[];
}

export interface IndexOptions {
  readonly name: string | null;
  readonly unique: boolean | null;
  readonly sparse: boolean | null;
  readonly expireAfterSeconds: number | null;
  readonly partialFilterExpression: DocumentValue | null;
}

export type Operation =
  | {
      readonly kind: "find";
      readonly filter: DocumentValue;
      readonly projection: DocumentValue | null;
      readonly sort: DocumentValue | null;
      readonly skip: number | null;
      readonly limit: number | null;
    }
  | {
      readonly kind: "findOne";
      readonly filter: DocumentValue;
      readonly projection: DocumentValue | null;
      readonly sort: DocumentValue | null;
    }
  | { readonly kind: "aggregate"; readonly pipeline: readonly DocumentValue[]; readonly allowDiskUse: boolean | null }
  | { readonly kind: "insertOne"; readonly document: DocumentValue }
  | { readonly kind: "insertMany"; readonly documents: readonly DocumentValue[]; readonly ordered: boolean | null }
  | {
      readonly kind: "updateOne" | "updateMany";
      readonly filter: DocumentValue;
      readonly update: DocumentValue | readonly DocumentValue[];
      readonly upsert: boolean | null;
      readonly arrayFilters: readonly DocumentValue[] | null;
    }
  | {
      readonly kind: "replaceOne";
      readonly filter: DocumentValue;
      readonly replacement: DocumentValue;
      readonly upsert: boolean | null;
    }
  | { readonly kind: "deleteOne" | "deleteMany" | "countDocuments"; readonly filter: DocumentValue }
  | { readonly kind: "distinct"; readonly field: string; readonly filter: DocumentValue }
  | { readonly kind: "createIndex"; readonly keys: DocumentValue; readonly options: IndexOptions };

export interface Statement {
  readonly database: string;
  readonly collection: string;
  /** The script wrote it as `db.name`, which therefore is no method's name. */
  readonly dotted: boolean;
  readonly operation: Operation;
}

/** The code for a statement in one language: the statement alone, on a `collection`, and a program that runs it. */
export interface Translation {
  readonly statement: string;
  readonly program: string;
}

export type Translator = (statement: Statement) => Translation;

/** Why something is not translated; the word for it is in the message tables. */
export type Refusal =
  | "syntax"
  | "nothing"
  | "several"
  | "no-call"
  | "method"
  | "variable"
  | "callback"
  | "value"
  | "option"
  | "arguments";

export class Untranslatable extends Error {
  /** @param what the part of the script that cannot be translated, in the script's words */
  constructor(
    readonly refusal: Refusal,
    readonly what: string,
  ) {
    super(`${refusal}: ${what}`);
  }
}

export const isEmpty = (document: DocumentValue): boolean => document.fields.length === 0;
