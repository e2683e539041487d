/**
 * What is likely to be wrong in a command that ran without an error: a name that no document has, a text compared with
 * dates, an operator without its `$`.
 *
 * Invariant: plain data that can be kept as JSON; words are the messages', places in the script those of `places.ts`.
 */
import type { BsonType } from "../values.ts";

/** How a script is mended: the text that was written, and the text to write in its place. */
export type Change =
  /** The name of a member. */
  | { readonly at: "key"; readonly wrong: string; readonly right: string }
  /** The content of a quoted text; `of`: only where it is the value of that member. */
  | { readonly at: "text"; readonly wrong: string; readonly right: string; readonly of?: string }
  /** A quoted text or a number, with the code for it. */
  | { readonly at: "value"; readonly wrong: string | number; readonly right: string }
  /** `{ lines: { product: 3 } }`: the members of `wrong` become members with dotted names. */
  | { readonly at: "members"; readonly wrong: string; readonly right: string }
  /** `{ state: ["CA", "NY"] }`: the list of the member `wrong` goes into `$in`. */
  | { readonly at: "list"; readonly wrong: string; readonly right: string }
  /** An arrow function in the place of a filter, by its text. */
  | { readonly at: "function"; readonly wrong: string; readonly right: string };

export type Doubt = {
  /** How to mend it; null where that is not known. */
  readonly change: Change | null;
} & (
  | {
      readonly kind: "unknown-path";
      readonly path: string;
      /** The path that may have been meant, with its types. */
      readonly similar: string | null;
      readonly types: readonly BsonType[];
      /** How many documents were looked at; null where all were. */
      readonly seen: number | null;
      /** The collection whose documents those are, where it is not the command's own. */
      readonly collection?: string;
    }
  /** A pipeline takes in a collection that is not there. */
  | { readonly kind: "unknown-collection"; readonly collection: string; readonly similar: string | null }
  /** `{ total: { gt: 5 } }`; the operator with its `$`. */
  | { readonly kind: "no-dollar"; readonly path: string; readonly operator: string }
  /** A value of a type that `path`, which has `types`, never has. */
  | { readonly kind: "type"; readonly path: string; readonly found: BsonType; readonly types: readonly BsonType[] }
  /** A whole embedded document is compared; `inner` is the dotted path of its first member. */
  | { readonly kind: "whole"; readonly path: string; readonly inner: string }
  /** A `$text` searched a word of a script that text indexes do not cut into words. */
  | { readonly kind: "unsegmented"; readonly text: string }
  /** An arrow function was given for a filter, which is always true. */
  | { readonly kind: "function" }
  /** A text in the place of an expression, as in `$sum: "total"`. `known`: a field has that name. */
  | { readonly kind: "constant"; readonly operator: string; readonly text: string; readonly known: boolean }
);

/** A condition of a filter alone. */
export interface Condition {
  readonly text: string;
  /** How many documents it leaves; null where counting took too long. */
  readonly count: number | null;
}

/** Why nothing was found. */
export interface Why {
  /** How many documents there are; null where that is not known. */
  readonly documents: number | null;
  readonly conditions: readonly Condition[];
  /** Conditions that are not counted. */
  readonly more: number;
}

/** What was found out about a statement's command. */
export interface Judged {
  readonly doubts: readonly Doubt[];
  /** Null where something was found, or the filter is not the reason. */
  readonly why: Why | null;
}

/** The judgement of a command with nothing to say about. */
export const undoubted: Judged = { doubts: [], why: null };

/** Whether there is something to say. */
export const isDoubted = ({ doubts, why }: Judged): boolean => doubts.length > 0 || why !== null;
