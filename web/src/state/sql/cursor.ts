/**
 * A place among tokens, with the questions and the steps of the statement's reader.
 *
 * Invariant: asking never moves; `skip…` moves only where it answers true, and the rest moves or throws `NotSql`.
 */
import { NotSql, tokensOf, type Token } from "./tokens.ts";
import { Code, type Written } from "./write.ts";

export class Tokens {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(source: string, from: number) {
    this.#tokens = tokensOf(source, from);
  }

  get next(): Token | undefined {
    return this.#tokens[this.#at];
  }
  /** Where the last token that was read ends. */
  get end(): number {
    return this.#tokens[this.#at - 1]?.to ?? 0;
  }

  is(word: string): boolean {
    return this.next?.kind === "word" && this.next.text.toUpperCase() === word;
  }
  skip(word: string): boolean {
    const is = this.is(word);
    if (is) this.#at += 1;
    return is;
  }
  word(word: string): void {
    if (!this.skip(word)) throw new NotSql(word);
  }

  isSign(sign: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead];
    return token?.kind === "sign" && token.text === sign;
  }
  skipSign(sign: string): boolean {
    const is = this.isSign(sign);
    if (is) this.#at += 1;
    return is;
  }
  sign(sign: string): void {
    if (!this.skipSign(sign)) throw new NotSql(sign);
  }
  anySign(): string {
    const token = this.next;
    if (token?.kind !== "sign") throw new NotSql("a sign");
    this.#at += 1;
    return token.text;
  }

  /** A name, bare or quoted; words of SQL are none unless they are quoted. */
  name(): string {
    const token = this.next;
    if (
      token === undefined ||
      (token.kind !== "quoted" && (token.kind !== "word" || reserved.has(token.text.toUpperCase())))
    )
      throw new NotSql("a name");
    this.#at += 1;
    return token.text;
  }
  isName(): boolean {
    const token = this.next;
    return token?.kind === "quoted" || (token?.kind === "word" && !reserved.has(token.text.toUpperCase()));
  }

  /** Whether a value stands here. Double quotes hold a text too, as MySQL has it, where a value is compared with. */
  isValue(): boolean {
    const token = this.next;
    if (token === undefined) return false;
    if (token.kind === "text" || token.kind === "number") return true;
    if (token.kind === "sign") return token.text === "-" || token.text === "+";
    if (token.kind === "quoted") return !this.#comparesNext();
    const word = token.text.toUpperCase();
    if (word === "DATE" || word === "TIMESTAMP") return this.#tokens[this.#at + 1]?.kind === "text";
    return word === "TRUE" || word === "FALSE" || word === "NULL";
  }
  /** Whether an operator follows, so that the quoted name here is a field and no text. */
  #comparesNext(): boolean {
    const after = this.#tokens[this.#at + 1];
    if (after?.kind === "sign") return /^(?:[<>=!]+|\.)$/.test(after.text);
    return after?.kind === "word" && /^(?:NOT|LIKE|ILIKE|IN|BETWEEN|IS)$/i.test(after.text);
  }

  value(quoted: boolean): Written {
    const isNegative = this.skipSign("-");
    if (!isNegative) this.skipSign("+");
    const token = this.next;
    if (token === undefined) throw new NotSql("a value");
    this.#at += 1;
    if (token.kind === "number") return number(`${isNegative ? "-" : ""}${token.text}`);
    if (isNegative) throw new NotSql("a number");
    if (token.kind === "text" || (quoted && token.kind === "quoted")) return token.text;
    const word = token.text.toUpperCase();
    if (word === "TRUE" || word === "FALSE") return word === "TRUE";
    if (word === "NULL") return null;
    const time = this.next;
    if ((word !== "DATE" && word !== "TIMESTAMP") || time?.kind !== "text") throw new NotSql("a value");
    if (Number.isNaN(Date.parse(time.text.replace(" ", "T")))) throw new NotSql("a date");
    this.#at += 1;
    return new Code(`ISODate(${JSON.stringify(time.text.replace(" ", "T"))})`);
  }

  /** A whole number that is not negative. */
  count(): number {
    const value = this.value(false);
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw new NotSql("a count");
    return value;
  }
}

function number(text: string): Written {
  const value = Number(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(text)
    ? new Code(`NumberLong(${JSON.stringify(text)})`)
    : value;
}

const reserved = new Set(
  `SELECT DISTINCT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT JOIN INNER LEFT RIGHT FULL
  CROSS NATURAL ON USING AND OR NOT IN LIKE ILIKE BETWEEN IS NULL TRUE FALSE AS ASC DESC CASE WHEN THEN ELSE END EXISTS
  NULLS WINDOW FOR WITH`.split(/\s+/),
);
