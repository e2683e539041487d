/** The codec's error: bytes that are no BSON, or values that BSON cannot hold. */
export class CodecError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CodecError";
  }
}

/** Levels of documents and arrays inside one another; the server refuses documents beyond 180. */
export const MAX_DEPTH = 200;
