/**
 * Reads one statement of a script: finds it, and gives it as data.
 *
 * Invariants: nothing is run; an option, method or value that would be lost is refused instead, by name.
 */
import type { AnyNode, CallExpression, Program } from "acorn";
import { readScript } from "../shell/shell-line.ts";
import { Literals, pathOf } from "./literals.ts";
import {
  isEmpty,
  Untranslatable,
  type DocumentValue,
  type IndexOptions,
  type Operation,
  type Statement,
  type Value,
} from "./model.ts";

const nothing: DocumentValue = { kind: "document", fields: [] };

/** The part of a script that is meant: its selection, or the statement at the cursor when the selection is empty. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** A script's syntax tree, and its `use` lines. */
export interface Read {
  readonly program: Program;
  /** Databases chosen by `use`, with where. */
  readonly uses: readonly { readonly at: number; readonly database: string }[];
}

/** Parses a script; the shell's own lines are blanked out, so that places stay. */
export function read(source: string): Read {
  const uses: { at: number; database: string }[] = [];
  const script = readScript(source, ({ word, argument, start, text }) => {
    if (word === "use") uses.push({ at: start, database: argument });
    // A statement of its own, so that the one before it ends there.
    return `;${" ".repeat(text.length - 1)}`;
  });
  if (!("program" in script)) throw new Untranslatable("syntax", script.message);
  return { program: script.program, uses };
}

/**
 * The statement that is meant: the one around the cursor, or else the nearest before it on its line, after it, before
 * it.
 */
function chosen(source: string, program: Program, { from, to }: Place): AnyNode {
  const all = program.body.filter(({ type }) => type !== "EmptyStatement");
  if (from !== to) {
    const touched = all.filter((one) => one.start < to && one.end > from);
    if (touched.length > 1) throw new Untranslatable("several", String(touched.length));
    if (touched[0] !== undefined) return touched[0];
    throw new Untranslatable("nothing", "");
  }
  const lineStart = source.lastIndexOf("\n", from - 1) + 1;
  const found = source.indexOf("\n", from);
  const lineEnd = found < 0 ? source.length : found;
  const one =
    all.find(({ start, end }) => start <= from && from < end) ??
    all.findLast(({ end }) => end > lineStart && end <= from) ??
    all.find(({ start }) => start >= from && start <= lineEnd) ??
    all.find(({ start }) => start >= from) ??
    all.at(-1);
  if (one === undefined) throw new Untranslatable("nothing", "");
  return one;
}

/**
 * The statement of a script at a place.
 *
 * @param database the one the script starts on
 * @throws Untranslatable
 */
export function statementAt(source: string, place: Place, database: string): Statement {
  const script = read(source);
  const node = chosen(source, script.program, place);
  return new Reader(source).statement(node, databaseAt(script, node.start) ?? database);
}

/** The database that the last `use` before a place chose, if there is one. */
export function databaseAt({ uses }: Read, place: number): string | undefined {
  return uses
    .filter(({ at }) => at < place)
    .sort((a, b) => a.at - b.at)
    .at(-1)?.database;
}

/** The collection that an expression is; null where it is none. */
export function collectionOf(source: string, node: AnyNode, database: string): Omit<Statement, "operation"> | null {
  return new Reader(source).target(node, database);
}

interface Call {
  readonly name: string;
  readonly node: CallExpression;
}

class Reader {
  readonly #literals: Literals;

  constructor(source: string) {
    this.#literals = new Literals(source);
  }

  statement(node: AnyNode, database: string): Statement {
    const calls: Call[] = [];
    let target = this.expression(node);
    // From the last call of the chain back to the collection that the first one is called on.
    while (target.type === "CallExpression") {
      const { callee } = target;
      if (callee.type !== "MemberExpression") throw new Untranslatable("no-call", this.#literals.text(node));
      const name = pathOf({ ...callee, object: { type: "Identifier", name: "it", start: 0, end: 0 } } as AnyNode)?.[1];
      if (name === undefined) throw new Untranslatable("no-call", this.#literals.text(node));
      if (name === "getCollection" || name === "getSiblingDB") break;
      calls.unshift({ name, node: target });
      target = callee.object;
    }
    const [first, ...chained] = calls;
    if (first === undefined) throw new Untranslatable("no-call", this.#literals.text(node));
    const of = this.target(target, database);
    if (of === null) throw new Untranslatable("no-call", this.#literals.text(node));
    return { ...of, operation: this.operation(first, chained) };
  }

  private expression(node: AnyNode): AnyNode {
    if (node.type === "ExpressionStatement") return this.expression(node.expression);
    if (node.type === "AwaitExpression") return this.expression(node.argument);
    if (node.type === "ChainExpression") return this.expression(node.expression);
    const [only, more] = node.type === "VariableDeclaration" ? node.declarations : [];
    if (only?.init && more === undefined && only.id.type === "Identifier") return this.expression(only.init);
    return node;
  }

  /** `db.name`, `db["name"]`, `db.getCollection("name")`, also of `db.getSiblingDB("other")`. */
  target(node: AnyNode, database: string): Omit<Statement, "operation"> | null {
    if (node.type === "CallExpression" && node.callee.type === "MemberExpression") {
      const of = this.database(node.callee.object, database);
      const path = node.callee.property;
      if (of === null || path.type !== "Identifier" || path.name !== "getCollection") return null;
      return { database: of, collection: this.text(node), dotted: false };
    }
    const names: string[] = [];
    let at = node;
    let dotted = true;
    while (at.type === "MemberExpression") {
      const name = pathOf({ ...at, object: { type: "Identifier", name: "it", start: 0, end: 0 } } as AnyNode)?.[1];
      if (name === undefined) {
        this.#literals.value(at.property);
        return null;
      }
      dotted &&= /^[A-Za-z_]\w*$/.test(name);
      names.unshift(name);
      at = at.object;
    }
    const of = this.database(at, database);
    return of === null || names.length === 0 ? null : { database: of, collection: names.join("."), dotted };
  }

  private database(node: AnyNode, database: string): string | null {
    if (node.type === "Identifier") return node.name === "db" ? database : null;
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return null;
    return pathOf(node.callee)?.join(".") === "db.getSiblingDB" ? this.text(node) : null;
  }

  /** The one argument of a call, a text. */
  private text(node: CallExpression): string {
    const value =
      node.arguments.length === 1 && node.arguments[0] !== undefined ? this.#literals.value(node.arguments[0]) : null;
    if (value?.kind !== "string" || value.value === "")
      throw new Untranslatable("arguments", this.#literals.text(node));
    return value.value;
  }

  private operation({ name, node }: Call, chained: readonly Call[]): Operation {
    // Checked before the arguments are read: a method that is not there is the better reason.
    if (!methods.has(name)) throw new Untranslatable("method", name);
    const given = new Arguments(
      name,
      node.arguments.map((argument) => this.#literals.value(argument)),
    );
    if (name === "find") return this.find(given, chained);
    for (const call of chained) if (!(name === "aggregate" && resultOnly.has(call.name))) throw this.unchained(call);
    const operation = operationOf(name, given);
    given.end();
    return operation;
  }

  private find(given: Arguments, chained: readonly Call[]): Operation {
    const [filter, direct] = [given.document(nothing), given.optionalDocument()];
    const options = given.options();
    let projection = options.document("projection") ?? (direct !== null && isEmpty(direct) ? null : direct);
    let [sort, skip, limit] = [options.document("sort"), options.whole("skip"), options.whole("limit")];
    options.end();
    given.end();
    for (const call of chained) {
      if (resultOnly.has(call.name)) continue;
      if (!["sort", "skip", "limit", "projection", "project"].includes(call.name)) throw this.unchained(call);
      const of = new Arguments(
        call.name,
        call.node.arguments.map((argument) => this.#literals.value(argument)),
      );
      if (call.name === "sort") sort = of.document();
      else if (call.name === "skip") skip = of.whole();
      else if (call.name === "limit") limit = of.whole();
      else projection = of.document();
      of.end();
    }
    return { kind: "find", filter, projection, sort, skip, limit: limit === 0 ? null : limit };
  }

  private unchained({ name, node }: Call): Untranslatable {
    const callback = node.arguments.some(
      ({ type }) => type === "ArrowFunctionExpression" || type === "FunctionExpression",
    );
    return new Untranslatable(callback ? "callback" : "method", name);
  }
}

/** Calls on a cursor that change how the shell shows it, and nothing of the query. */
const resultOnly: ReadonlySet<string> = new Set(["pretty", "toArray"]);

const methods: ReadonlySet<string> = new Set([
  "aggregate",
  "countDocuments",
  "createIndex",
  "deleteMany",
  "deleteOne",
  "distinct",
  "find",
  "findOne",
  "insertMany",
  "insertOne",
  "replaceOne",
  "updateMany",
  "updateOne",
]);

function operationOf(name: string, given: Arguments): Operation {
  switch (name) {
    case "findOne": {
      const [filter, direct, options] = [given.document(nothing), given.optionalDocument(), given.options()];
      const projection = options.document("projection") ?? (direct !== null && isEmpty(direct) ? null : direct);
      return options.ended({ kind: name, filter, projection, sort: options.document("sort") });
    }
    case "aggregate": {
      const [pipeline, options] = [given.documents(), given.options()];
      return options.ended({ kind: name, pipeline, allowDiskUse: options.flag("allowDiskUse") });
    }
    case "insertOne":
      return { kind: name, document: given.document() };
    case "insertMany": {
      const [documents, options] = [given.documents(), given.options()];
      return options.ended({ kind: name, documents, ordered: options.flag("ordered") });
    }
    case "updateOne":
    case "updateMany": {
      const [filter, update, options] = [given.document(), given.documentOrDocuments(), given.options()];
      return options.ended({
        kind: name,
        filter,
        update,
        upsert: options.flag("upsert"),
        arrayFilters: options.documents("arrayFilters"),
      });
    }
    case "replaceOne": {
      const [filter, replacement, options] = [given.document(), given.document(), given.options()];
      return options.ended({ kind: name, filter, replacement, upsert: options.flag("upsert") });
    }
    case "deleteOne":
    case "deleteMany":
      return { kind: name, filter: given.document() };
    case "countDocuments":
      return { kind: name, filter: given.document(nothing) };
    case "distinct":
      return { kind: name, field: given.string(), filter: given.document(nothing) };
    case "createIndex": {
      const [keys, options] = [given.document(), given.options()];
      const read: IndexOptions = {
        name: options.string("name"),
        unique: options.flag("unique"),
        sparse: options.flag("sparse"),
        expireAfterSeconds: options.whole("expireAfterSeconds"),
        partialFilterExpression: options.document("partialFilterExpression"),
      };
      return options.ended({ kind: name, keys, options: read });
    }
    default:
      throw new Untranslatable("method", name);
  }
}

function wholeOf(value: Value | undefined): number | null {
  const number = value?.kind === "int32" ? value.value : value?.kind === "int64" ? Number(value.value) : NaN;
  return number >= 0 && number < 2 ** 31 ? number : null;
}

function documentsOf(value: Value | undefined): readonly DocumentValue[] | null {
  if (value?.kind !== "array") return null;
  const documents = value.items.filter((item) => item.kind === "document");
  return documents.length === value.items.length ? documents : null;
}

/** The arguments of a call, taken one after the other. */
class Arguments {
  #next = 0;

  constructor(
    private readonly method: string,
    private readonly values: readonly Value[],
  ) {}

  private take<T>(as: (value: Value) => T | null, otherwise?: T): T {
    const value = this.values[this.#next++];
    const taken = value === undefined ? otherwise : as(value);
    if (taken === null || taken === undefined) throw new Untranslatable("arguments", this.method);
    return taken;
  }

  document(otherwise?: DocumentValue): DocumentValue {
    return this.take((value) => (value.kind === "document" ? value : null), otherwise);
  }

  /** A document, or null where none or `null` is given. */
  optionalDocument(): DocumentValue | null {
    if (this.values[this.#next]?.kind === "null" || this.values[this.#next] === undefined) {
      this.#next++;
      return null;
    }
    return this.document();
  }

  documents(): readonly DocumentValue[] {
    return this.take(documentsOf);
  }

  documentOrDocuments(): DocumentValue | readonly DocumentValue[] {
    return this.take<DocumentValue | readonly DocumentValue[]>((value) =>
      value.kind === "document" ? value : documentsOf(value),
    );
  }

  string(): string {
    return this.take((value) => (value.kind === "string" ? value.value : null));
  }

  whole(): number {
    return this.take(wholeOf);
  }

  options(): Options {
    return new Options(this.document(nothing));
  }

  end(): void {
    if (this.#next < this.values.length) throw new Untranslatable("arguments", this.method);
  }
}

/** Options by name; those that no method asked for are refused at the end. */
class Options {
  readonly #left: Map<string, Value>;

  constructor({ fields }: DocumentValue) {
    this.#left = new Map(fields);
  }

  private take<T>(name: string, as: (value: Value) => T | null): T | null {
    const value = this.#left.get(name);
    if (value === undefined) return null;
    const taken = as(value);
    if (taken === null) throw new Untranslatable("option", name);
    this.#left.delete(name);
    return taken;
  }

  document(name: string): DocumentValue | null {
    return this.take(name, (value) => (value.kind === "document" ? value : null));
  }

  documents(name: string): readonly DocumentValue[] | null {
    return this.take(name, documentsOf);
  }

  string(name: string): string | null {
    return this.take(name, (value) => (value.kind === "string" ? value.value : null));
  }

  flag(name: string): boolean | null {
    return this.take(name, (value) => (value.kind === "boolean" ? value.value : null));
  }

  whole(name: string): number | null {
    return this.take(name, wholeOf);
  }

  end(): void {
    for (const name of this.#left.keys()) throw new Untranslatable("option", name);
  }

  ended(operation: Operation): Operation {
    this.end();
    return operation;
  }
}
