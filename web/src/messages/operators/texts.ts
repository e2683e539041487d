/** The shape of a language's lines on operators and methods, and the kinds of names that have one. */

/** Where a `$` operator stands. */
export type OperatorKind = "query" | "update" | "stage" | "accumulator" | "window" | "expression";
/** The object that a method is called on. */
export type MethodKind = "database" | "collection" | "cursor" | "explain" | "quire";
/** The kind of a name: of an operator or of a method. */
export type NameKind = OperatorKind | MethodKind;

/** A language's lines by kind, each `name effect`, and its words for the kinds. */
export interface OperatorTexts extends Readonly<Record<NameKind, string>> {
  readonly kinds: Readonly<Record<NameKind, string>>;
  /** Stands before an example. */
  readonly example: string;
  /** Leads to the entry in the reference. */
  readonly more: string;
}
