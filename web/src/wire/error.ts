/** What is wrong with a message, as a server words it. */

export class WireError extends Error {
  readonly code: number;
  readonly codeName: string;
  /** Whether nothing behind the message can be trusted: the connection ends, and nothing is answered. */
  readonly fatal: boolean;

  constructor(code: number, codeName: string, message: string, fatal = false) {
    super(message);
    this.name = "WireError";
    this.code = code;
    this.codeName = codeName;
    this.fatal = fatal;
  }
}

/** A message that is refused by its number alone. */
export const refused = (code: number, message: string): WireError => new WireError(code, `Location${code}`, message);

/** A message after which the connection has to end. */
export const broken = (message: string): WireError => new WireError(17, "ProtocolError", message, true);
