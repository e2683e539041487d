/** The shape of a language's sentences that the reference has and the editor's help does not. */

/** A language's lines by kind, each `name effect`. */
export interface ReferenceLines {
  readonly command: string;
  readonly projection: string;
  /** Forms of an update beside its operators. */
  readonly update: string;
  readonly index: string;
  readonly option: string;
  /** Methods that the editor does not offer, and names that stand alone. */
  readonly bulk: string;
  readonly mongo: string;
  readonly planCache: string;
  readonly clock: string;
  readonly global: string;
}
