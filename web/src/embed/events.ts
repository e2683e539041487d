/**
 * The events of `<quire-snippet>` and `<quire-playground>`, with the data of each.
 *
 * Invariant: all cross shadow roots (`composed`); all but `error` bubble, as with HTML's own elements.
 */

/** The engine is open and runs scripts; once an element, after its first focus or Run. */
export interface QuireReadyDetail {
  /** From the first wish for the engine until it was open; 0 when another element had opened it. */
  readonly milliseconds: number;
}

/** A script is about to run; `preventDefault()` keeps a snippet from running it. */
export interface QuireRunDetail {
  readonly source: string;
  /** The database in use at the start. */
  readonly database: string;
}

/** A script came to its end. */
export interface QuireResultDetail {
  readonly source: string;
  /** Its printed lines, and its value as the shell words it. */
  readonly text: string;
  readonly printed: readonly string[];
  /**
   * The first documents of its cursor, decoded to the classes of js-bson; null when its value is no cursor. Never in a
   * playground's events.
   */
  readonly documents: readonly unknown[] | null;
  /** Whether the cursor has more. */
  readonly more: boolean;
  readonly milliseconds: number;
  /** Whether the output is the page's own; null where it is not compared (`check`) or the script was changed. */
  readonly matches: boolean | null;
}

/** Where a failure happened: in the script, in a setup or a snippet before it, or because no engine could be had. */
export type QuireStage = "script" | "setup" | "depends-on" | "engine";

/** A script failed or was stopped, as the shell words it. */
export interface QuireErrorDetail {
  readonly stage: QuireStage;
  readonly name: string;
  readonly message: string;
  /** The whole first line: `MongoServerError[DuplicateKey]: E11000 …`. */
  readonly text: string;
  readonly code: number | null;
  readonly codeName: string | null;
  /** Counted from 1, in the text of the stage; null where the place is not known. */
  readonly line: number | null;
  readonly column: number | null;
  /** As a result's: `true` where the page shows this error as the output. */
  readonly matches: boolean | null;
}

/** Details by the event's name. */
export interface QuireEventDetails {
  readonly ready: QuireReadyDetail;
  readonly run: QuireRunDetail;
  readonly result: QuireResultDetail;
  readonly error: QuireErrorDetail;
}

export type QuireEventName = keyof QuireEventDetails;

/** The element's events by name, for typed `addEventListener`. */
export type QuireEventMap = { readonly [Name in QuireEventName]: CustomEvent<QuireEventDetails[Name]> };

/** The event that tells the end of a run, with its detail. @internal */
export type RunEnd =
  | readonly [name: "result", detail: QuireResultDetail]
  | readonly [name: "error", detail: QuireErrorDetail];

/** Tells of something; false when a listener prevented it. */
export function tell<Name extends QuireEventName>(
  element: HTMLElement,
  name: Name,
  detail: QuireEventDetails[Name],
): boolean {
  return element.dispatchEvent(
    new CustomEvent(name, { detail, composed: true, bubbles: name !== "error", cancelable: name === "run" }),
  );
}

/** The detail of an element's own error, which no script threw. @internal */
export function failureOf(stage: QuireStage, { name, message }: Error): QuireErrorDetail {
  return { stage, name, message, text: message, code: null, codeName: null, line: null, column: null, matches: null };
}

/** The detail of an error when no engine could be had, or it was lost. @internal */
export function engineFailure(error: unknown): QuireErrorDetail {
  return failureOf("engine", error instanceof Error ? error : new Error(String(error)));
}
