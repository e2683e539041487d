/** The error of the BSON types for a value that they cannot hold. */
export class BSONError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BSONError";
  }
}
