/** Statements for mongosh and for the Node.js driver, which write documents alike. Invariant: pure. */
import { bracketed, chain, indented, layOut, type Piece } from "./layout.ts";
import { isEmpty, type DocumentValue, type Operation, type Statement, type Translation, type Value } from "./model.ts";
import { address, givenOptions, quoted } from "./texts.ts";

const layout = { width: 100, indent: "  " };

/** How the two write the types that JavaScript has not; names that are used are noted for the import. */
class Script {
  readonly names = new Set<string>();

  constructor(readonly shell: boolean) {}

  private made(name: string, ...args: string[]): string {
    this.names.add(name);
    return `${this.shell ? "" : "new "}${name}(${args.join(", ")})`;
  }

  value(value: Value): Piece {
    switch (value.kind) {
      case "null":
        return "null";
      case "now":
        return "new Date()";
      case "new-object-id":
        return this.made("ObjectId");
      case "new-uuid":
        return this.made("UUID");
      case "boolean":
      case "int32":
        return String(value.value);
      case "double":
        // A double that JavaScript writes as a whole number of 32 bits would be sent as an int32.
        return Number.isInteger(value.value) && Math.abs(value.value) < 2 ** 31 + 1 && !Object.is(value.value, -0)
          ? this.made("Double", String(value.value))
          : Object.is(value.value, -0)
            ? "-0"
            : String(value.value);
      case "int64":
        if (this.shell) return this.made("Long", quoted(value.value));
        this.names.add("Long");
        return `Long.fromString(${quoted(value.value)})`;
      case "decimal":
        return this.made("Decimal128", quoted(value.value));
      case "string":
        return quoted(value.value);
      case "object-id":
        return this.made("ObjectId", quoted(value.value));
      case "uuid":
        return this.made("UUID", quoted(value.value));
      case "date": {
        const date = quoted(new Date(value.millis).toISOString());
        return this.shell ? `ISODate(${date})` : `new Date(${date})`;
      }
      case "regex":
        return this.regex(value.pattern, value.options);
      case "document":
        return this.document(value);
      case "array":
        return this.list(value.items);
    }
  }

  private regex(pattern: string, options: string): string {
    try {
      return new RegExp(pattern, options).toString();
    } catch {
      this.names.add("BSONRegExp");
      return `${this.shell ? "" : "new "}BSONRegExp(${quoted(pattern)}, ${quoted(options)})`;
    }
  }

  document({ fields }: DocumentValue): Piece {
    return bracketed(
      "{",
      fields.map(
        ([key, value]): Piece => [
          /^[A-Za-z_$][\w$]*$/.test(key) ? key : key === "__proto__" ? '["__proto__"]' : quoted(key),
          ": ",
          this.value(value),
        ],
      ),
      "}",
      { padded: true },
    );
  }

  list(items: readonly Value[]): Piece {
    return bracketed(
      "[",
      items.map((item) => this.value(item)),
      "]",
    );
  }

  /** Options as a document; null when there are none. */
  private options(given: readonly (readonly [string, Piece | boolean | null])[]): Piece | null {
    const fields = given.flatMap(([name, value]): Piece[] =>
      value === null ? [] : [[name, ": ", typeof value === "boolean" ? String(value) : value]],
    );
    return fields.length === 0 ? null : bracketed("{", fields, "}", { padded: true });
  }

  /** A method and its arguments, and the calls on its result. */
  calls(operation: Operation): readonly Piece[] {
    const { kind } = operation;
    const flat = (name: string, ...args: readonly (Piece | null)[]): Piece => [
      name,
      "(",
      ...args.filter((one) => one !== null).flatMap((one, index) => (index === 0 ? [one] : [", ", one])),
      ")",
    ];
    const document = (value: DocumentValue): Piece => this.document(value);
    switch (kind) {
      case "find": {
        const { filter, projection, sort, skip, limit } = operation;
        return [
          flat(
            ".find",
            isEmpty(filter) && (projection === null || !this.shell) ? null : document(filter),
            projection === null || !this.shell ? null : document(projection),
          ),
          ...(projection === null || this.shell ? [] : [flat(".project", document(projection))]),
          ...(sort === null ? [] : [flat(".sort", document(sort))]),
          ...(skip === null ? [] : [flat(".skip", String(skip))]),
          ...(limit === null ? [] : [flat(".limit", String(limit))]),
        ];
      }
      case "findOne": {
        const { filter, projection, sort } = operation;
        const rest = this.options([
          ["projection", this.shell || projection === null ? null : document(projection)],
          ["sort", sort === null ? null : document(sort)],
        ]);
        const needed = rest !== null || (this.shell && projection !== null);
        const shown = !this.shell ? null : projection !== null ? document(projection) : rest === null ? null : "{}";
        return [flat(".findOne", isEmpty(filter) && !needed ? null : document(filter), shown, rest)];
      }
      case "aggregate":
        return [
          flat(".aggregate", this.list(operation.pipeline), this.options([["allowDiskUse", operation.allowDiskUse]])),
        ];
      case "insertOne":
        return [flat(".insertOne", document(operation.document))];
      case "insertMany":
        return [flat(".insertMany", this.list(operation.documents), this.options([["ordered", operation.ordered]]))];
      case "updateOne":
      case "updateMany": {
        const { filter, update, upsert, arrayFilters } = operation;
        const change = "kind" in update ? document(update) : this.list(update);
        return [
          flat(
            `.${kind}`,
            document(filter),
            change,
            this.options([
              ["upsert", upsert],
              ["arrayFilters", arrayFilters === null ? null : this.list(arrayFilters)],
            ]),
          ),
        ];
      }
      case "replaceOne":
        return [
          flat(
            ".replaceOne",
            document(operation.filter),
            document(operation.replacement),
            this.options([["upsert", operation.upsert]]),
          ),
        ];
      case "deleteOne":
      case "deleteMany":
        return [flat(`.${kind}`, document(operation.filter))];
      case "countDocuments":
        return [flat(".countDocuments", isEmpty(operation.filter) ? null : document(operation.filter))];
      case "distinct":
        return [
          flat(".distinct", quoted(operation.field), isEmpty(operation.filter) ? null : document(operation.filter)),
        ];
      case "createIndex":
        return [
          flat(
            ".createIndex",
            document(operation.keys),
            this.options(
              givenOptions(operation.options).map(([name, value]) => [
                name,
                typeof value === "string" ? quoted(value) : typeof value === "object" ? document(value) : String(value),
              ]),
            ),
          ),
        ];
    }
  }
}

/** For mongosh. */
export function mongosh({ database, collection, dotted, operation }: Statement): Translation {
  const script = new Script(true);
  const target = dotted ? `db.${collection}` : `db.getCollection(${quoted(collection)})`;
  const [first = "", ...more] = script.calls(operation);
  const statement = `${layOut(chain([target, first], more), layout)};`;
  return { statement, program: `use ${database}\n${statement}\n` };
}

const results: Readonly<Record<Operation["kind"], string>> = {
  find: "documents",
  findOne: "document",
  aggregate: "documents",
  insertOne: "result",
  insertMany: "result",
  updateOne: "result",
  updateMany: "result",
  replaceOne: "result",
  deleteOne: "result",
  deleteMany: "result",
  countDocuments: "count",
  distinct: "values",
  createIndex: "name",
};

/** For the Node.js driver, as a module. */
export function node({ database, collection, operation }: Statement): Translation {
  const script = new Script(false);
  const [first = "", ...more] = script.calls(operation);
  const cursor = operation.kind === "find" || operation.kind === "aggregate";
  const name = results[operation.kind];
  const calls = chain([`const ${name} = await collection`, first], cursor ? [...more, ".toArray()"] : more);
  const statement = `${layOut(calls, layout)};`;
  const body =
    `const collection = client.db(${quoted(database)}).collection(${quoted(collection)});\n${statement}\n` +
    `console.log(${name});`;
  const names = ["MongoClient", ...[...script.names].sort()].join(", ");
  const program =
    `import { ${names} } from "mongodb";\n\nconst client = new MongoClient(${quoted(address)});\ntry {\n` +
    `${indented(body, "  ")}\n} finally {\n  await client.close();\n}\n`;
  return { statement, program };
}
