/** What the BSON types throw for values they cannot hold. */
export class BSONError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BSONError";
  }
}
