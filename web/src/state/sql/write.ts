/**
 * Values, keys and filters as a script writes them.
 *
 * Invariant: pure; the text evaluates to the value that was given.
 */

/** A value of a script: text that is written as it is, beside plain values. */
export class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Written = string | number | boolean | null | Code | readonly Written[] | WrittenDocument;
export interface WrittenDocument {
  readonly [key: string]: Written;
}

const key = (name: string): string => (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name));

/** One value on one line. */
export function write(value: Written): string {
  if (value instanceof Code) return value.text;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Written[]).map(write).join(", ")}]`;
  const members = Object.entries(value).map(([name, member]) => `${key(name)}: ${write(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** Names that `db` has itself, so that a collection of that name is reached by `getCollection`. */
const taken = new Set(
  `adminCommand aggregate createCollection createView dropDatabase getCollection getMongo getName getSiblingDB hello
  help isMaster runCommand serverStatus stats version watch auth eval constructor toString toJSON`.split(/\s+/),
);

/** `db.herbs`, or the longer way where the name needs it. */
export function writeCollection(database: string | null, collection: string): string {
  const db = database === null ? "db" : `db.getSiblingDB(${JSON.stringify(database)})`;
  return /^[A-Za-z$][\w$]*$/.test(collection) && !taken.has(collection)
    ? `${db}.${collection}`
    : `${db}.getCollection(${JSON.stringify(collection)})`;
}

/** Conditions that all hold, as one filter: side by side where their fields differ. */
export function allOf(filters: readonly WrittenDocument[]): WrittenDocument {
  const given = filters.filter((filter) => Object.keys(filter).length > 0);
  const together: Record<string, Written> = {};
  for (const filter of given) {
    for (const [name, condition] of Object.entries(filter)) {
      const before = together[name];
      if (before === undefined) together[name] = condition;
      else if (isOperators(before) && isOperators(condition) && Object.keys(condition).every((one) => !(one in before)))
        together[name] = { ...before, ...condition };
      else return given.length === 1 ? filter : { $and: given.flatMap(conjuncts) };
    }
  }
  return together;
}

function conjuncts(filter: WrittenDocument): readonly WrittenDocument[] {
  const { $and: inside } = filter;
  return Object.keys(filter).length === 1 && Array.isArray(inside) ? (inside as readonly WrittenDocument[]) : [filter];
}

function isOperators(value: Written): value is WrittenDocument {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Code) &&
    Object.keys(value).every((name) => name.startsWith("$"))
  );
}
