/** The codec's errors: bytes that are no BSON, or values that BSON cannot hold. */

/** Names of a path that a message shows; an object that refers to itself has one without an end. */
const SHOWN_NAMES = 12;

export class CodecError extends Error {
  /** Why, without the place. */
  readonly #reason: string;
  /** The names that lead to the value, the outermost first. */
  readonly #path: string[] = [];

  constructor(reason: string, name = "CodecError") {
    super(reason);
    this.name = name;
    this.#reason = reason;
  }

  /** Tells that the value is inside the field, or at the place of an array, that has this name. */
  inside(name: string): void {
    this.#path.unshift(name);
    const shown = this.#path.slice(0, SHOWN_NAMES).join(".");
    this.message = `${this.#reason} (at ${shown}${this.#path.length > SHOWN_NAMES ? "…" : ""})`;
  }
}

/** A text that is not UTF-8, where only such a one is wanted: named and worded as js-bson's. */
export class InvalidText extends CodecError {
  constructor() {
    super("Invalid UTF-8 string in BSON document", "BSONError");
  }
}

/** An error met inside a field, with that field's name where the error tells its place. */
export function inside(error: unknown, name: string | number): unknown {
  if (error instanceof CodecError) error.inside(String(name));
  return error;
}

/** Levels of documents and arrays inside one another; the server refuses documents beyond 180. */
export const MAX_DEPTH = 200;
