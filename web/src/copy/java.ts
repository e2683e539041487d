/** Statements for the Java driver (synchronous), with `Document` throughout. Invariant: pure. */
import { bracketed, chain, indented, layOut, type Piece } from "./layout.ts";
import { isEmpty, type DocumentValue, type Operation, type Statement, type Translation, type Value } from "./model.ts";
import { address, dateText, doubleText, givenOptions, quoted } from "./texts.ts";

const layout = { width: 100, indent: "    " };

class Java {
  readonly imports = new Set<string>();

  private use(path: string): string {
    this.imports.add(path);
    return path.slice(path.lastIndexOf(".") + 1);
  }

  value(value: Value): Piece {
    switch (value.kind) {
      case "null":
        return "null";
      case "now":
        return `new ${this.use("java.util.Date")}()`;
      case "new-object-id":
        return `new ${this.use("org.bson.types.ObjectId")}()`;
      case "new-uuid":
        return `new ${this.use("org.bson.BsonBinary")}(${this.use("java.util.UUID")}.randomUUID())`;
      case "boolean":
      case "int32":
        return String(value.value);
      case "double":
        return Number.isFinite(value.value)
          ? doubleText(value.value)
          : `Double.${Number.isNaN(value.value) ? "NaN" : value.value > 0 ? "POSITIVE_INFINITY" : "NEGATIVE_INFINITY"}`;
      case "int64":
        return `${value.value}L`;
      case "decimal":
        return `${this.use("org.bson.types.Decimal128")}.parse(${quoted(value.value)})`;
      case "string":
        return quoted(value.value);
      case "object-id":
        return `new ${this.use("org.bson.types.ObjectId")}(${quoted(value.value)})`;
      case "uuid":
        // A plain UUID needs a client set up for one of its representations.
        return (
          `new ${this.use("org.bson.BsonBinary")}(${this.use("java.util.UUID")}.fromString(${quoted(value.value)}` +
          "))"
        );
      case "date":
        if (dateText(value.millis) === null) return `new ${this.use("java.util.Date")}(${value.millis}L)`;
        return (
          `${this.use("java.util.Date")}.from(${this.use("java.time.Instant")}.parse(` +
          `${quoted(new Date(value.millis).toISOString())}))`
        );
      case "regex":
        return (
          `new ${this.use("org.bson.BsonRegularExpression")}(${quoted(value.pattern)}` +
          `${value.options === "" ? "" : `, ${quoted(value.options)}`})`
        );
      case "document":
        return this.document(value);
      case "array":
        return this.list(value.items);
    }
  }

  document({ fields }: DocumentValue): Piece {
    this.use("org.bson.Document");
    const [first, ...more] = fields;
    if (first === undefined) return "new Document()";
    const pair = ([key, value]: readonly [string, Value]): Piece => [quoted(key), ", ", this.value(value)];
    return chain(
      ["new Document(", pair(first), ")"],
      more.map((field): Piece => [".append(", pair(field), ")"]),
    );
  }

  list(items: readonly Value[]): Piece {
    // A lone null would be taken for the array of arguments.
    if (items.length === 1 && items[0]?.kind === "null")
      return `${this.use("java.util.Collections")}.singletonList(null)`;
    this.use("java.util.Arrays");
    return bracketed(
      "Arrays.asList(",
      items.map((item) => this.value(item)),
      ")",
    );
  }

  private options(type: string, given: readonly (readonly [string, Piece | boolean | null])[]): Piece | null {
    const calls = given.flatMap(([name, value]): Piece[] =>
      value === null ? [] : [[`.${name}(`, typeof value === "boolean" ? String(value) : value, ")"]],
    );
    return calls.length === 0 ? null : chain(`new ${this.use(`com.mongodb.client.model.${type}`)}()`, calls);
  }

  /** The call on the collection, and the calls on its result. */
  calls(operation: Operation): readonly [Piece, readonly Piece[]] {
    const { kind } = operation;
    const call = (name: string, ...args: readonly (Piece | null)[]): Piece => [
      `collection.${name}`,
      bracketed(
        "(",
        args.filter((one) => one !== null),
        ")",
      ),
    ];
    const document = (value: DocumentValue): Piece => this.document(value);
    const filled = (filter: DocumentValue): Piece | null => (isEmpty(filter) ? null : document(filter));
    switch (kind) {
      case "find":
      case "findOne": {
        const { filter, projection, sort } = operation;
        const step = (name: string, value: Piece | null): readonly Piece[] =>
          value === null ? [] : [[`.${name}(`, value, ")"]];
        const more =
          kind === "find"
            ? [
                ...step("skip", operation.skip === null ? null : String(operation.skip)),
                ...step("limit", operation.limit === null ? null : String(operation.limit)),
              ]
            : [".first()"];
        return [
          call("find", filled(filter)),
          [...step("projection", projection && document(projection)), ...step("sort", sort && document(sort)), ...more],
        ];
      }
      case "aggregate":
        return [
          call("aggregate", this.list(operation.pipeline)),
          operation.allowDiskUse === null ? [] : [`.allowDiskUse(${operation.allowDiskUse})`],
        ];
      case "insertOne":
        return [call("insertOne", document(operation.document)), []];
      case "insertMany":
        return [
          call(
            "insertMany",
            this.list(operation.documents),
            this.options("InsertManyOptions", [["ordered", operation.ordered]]),
          ),
          [],
        ];
      case "updateOne":
      case "updateMany": {
        const { filter, update, upsert, arrayFilters } = operation;
        const options = this.options("UpdateOptions", [
          ["upsert", upsert],
          ["arrayFilters", arrayFilters && this.list(arrayFilters)],
        ]);
        return [call(kind, document(filter), "kind" in update ? document(update) : this.list(update), options), []];
      }
      case "replaceOne":
        return [
          call(
            "replaceOne",
            document(operation.filter),
            document(operation.replacement),
            this.options("ReplaceOptions", [["upsert", operation.upsert]]),
          ),
          [],
        ];
      case "deleteOne":
      case "deleteMany":
        return [call(kind, document(operation.filter)), []];
      case "countDocuments":
        return [call("countDocuments", filled(operation.filter)), []];
      case "distinct":
        return [
          call(
            "distinct",
            quoted(operation.field),
            filled(operation.filter),
            `${this.use("org.bson.BsonValue")}.class`,
          ),
          [],
        ];
      case "createIndex": {
        const options = givenOptions(operation.options).map(([name, value]): readonly [string, Piece] => {
          if (name === "expireAfterSeconds")
            return ["expireAfter", `${String(value)}L, ${this.use("java.util.concurrent.TimeUnit")}.SECONDS`];
          return [
            name,
            typeof value === "string" ? quoted(value) : typeof value === "object" ? document(value) : String(value),
          ];
        });
        return [call("createIndex", document(operation.keys), this.options("IndexOptions", options)), []];
      }
    }
  }
}

/**
 * The class, the variable's name and the package of a call's result; null where the class needs no import of its own.
 */
const results: Readonly<
  Record<
    Exclude<Operation["kind"], "find" | "aggregate" | "distinct">,
    readonly [type: string, name: string, path: string | null]
  >
> = {
  findOne: ["Document", "document", null],
  insertOne: ["InsertOneResult", "result", "com.mongodb.client.result."],
  insertMany: ["InsertManyResult", "result", "com.mongodb.client.result."],
  updateOne: ["UpdateResult", "result", "com.mongodb.client.result."],
  updateMany: ["UpdateResult", "result", "com.mongodb.client.result."],
  replaceOne: ["UpdateResult", "result", "com.mongodb.client.result."],
  deleteOne: ["DeleteResult", "result", "com.mongodb.client.result."],
  deleteMany: ["DeleteResult", "result", "com.mongodb.client.result."],
  countDocuments: ["long", "count", null],
  createIndex: ["String", "name", null],
};

/** For the Java driver, as a class. */
export function java({ database, collection, operation }: Statement): Translation {
  const writer = new Java();
  const [first, more] = writer.calls(operation);
  const { kind } = operation;
  let statement: string;
  let shown = "";
  if (kind === "find" || kind === "aggregate" || kind === "distinct") {
    const each =
      kind === "distinct"
        ? ".forEach(value -> System.out.println(value))"
        : ".forEach(document -> System.out.println(document.toJson()))";
    statement = `${layOut(chain(first, [...more, each]), layout)};`;
  } else {
    const [type, name, path] = results[kind];
    if (path !== null) writer.imports.add(path + type);
    statement = `${layOut(chain([`${type} ${name} = `, first], more), layout)};`;
    shown = `\nSystem.out.println(${name});`;
  }
  const imports = [
    ...new Set([
      ...writer.imports,
      "com.mongodb.client.MongoClient",
      "com.mongodb.client.MongoClients",
      "com.mongodb.client.MongoCollection",
      "org.bson.Document",
    ]),
  ].sort();
  const body =
    "MongoCollection<Document> collection =\n        " +
    `client.getDatabase(${quoted(database)}).getCollection(${quoted(collection)});\n${statement}${shown}`;
  const main = `try (MongoClient client = MongoClients.create(${quoted(address)})) {\n${indented(body, "    ")}\n}`;
  const program =
    `${imports.map((path) => `import ${path};`).join("\n")}\n\npublic class Main {\n` +
    `    public static void main(String[] args) {\n${indented(main, "        ")}\n    }\n}\n`;
  return { statement, program };
}
