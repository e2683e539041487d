/** Statements for the Go driver, version 2, with `bson.D` throughout. Invariant: pure. */
import { bracketed, indented, layOut, type Piece } from "./layout.ts";
import type { DocumentValue, Operation, Statement, Translation, Value } from "./model.ts";
import { address, doubleText, givenOptions, quoted } from "./texts.ts";

const layout = { width: 100, indent: "\t" };
const fails = "if err != nil {\n\tlog.Fatal(err)\n}";
const driver = "go.mongodb.org/mongo-driver/v2";

class Go {
  readonly imports = new Set<string>();
  /** Values that have to be made before the statement, because making them may fail. */
  readonly before: string[] = [];
  readonly #counts = new Map<string, number>();

  private use(path: string): string {
    this.imports.add(path);
    return path.slice(path.lastIndexOf("/") + 1);
  }

  private made(name: string, expression: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    this.before.push(`${name}${count}, err := ${expression}\n${fails}`);
    return `${name}${count}`;
  }

  value(value: Value): Piece {
    this.use(`${driver}/bson`);
    switch (value.kind) {
      case "null":
        return "nil";
      case "now":
        return `${this.use("time")}.Now()`;
      case "new-object-id":
        return "bson.NewObjectID()";
      case "new-uuid": {
        const path = "github.com/google/uuid";
        this.use(path);
        return `bson.Binary{Subtype: bson.TypeBinaryUUID, Data: ${this.made("uuid", "uuid.New().MarshalBinary()")}}`;
      }
      case "boolean":
      case "int32":
        return String(value.value);
      case "double":
        if (Object.is(value.value, -0)) return `${this.use("math")}.Copysign(0, -1)`;
        if (Number.isFinite(value.value)) return doubleText(value.value);
        return Number.isNaN(value.value)
          ? `${this.use("math")}.NaN()`
          : `${this.use("math")}.Inf(${value.value > 0 ? 1 : -1})`;
      case "int64":
        return `int64(${value.value})`;
      case "decimal":
        return this.made("decimal", `bson.ParseDecimal128(${quoted(value.value)})`);
      case "string":
        return quoted(value.value);
      case "object-id":
        return this.made("id", `bson.ObjectIDFromHex(${quoted(value.value)})`);
      case "uuid":
        return (
          "bson.Binary{Subtype: bson.TypeBinaryUUID, Data: " +
          `[]byte{${[...value.value.replaceAll("-", "").matchAll(/../g)].map(([byte]) => `0x${byte}`).join(", ")}` +
          "}}"
        );
      case "date":
        return `${this.use("time")}.UnixMilli(${value.millis})`;
      case "regex":
        return `bson.Regex{Pattern: ${quoted(value.pattern)}, Options: ${quoted(value.options)}}`;
      case "document":
        return this.document(value);
      case "array":
        return this.list("bson.A", value.items);
    }
  }

  document({ fields }: DocumentValue): Piece {
    this.use(`${driver}/bson`);
    return bracketed(
      "bson.D{",
      fields.map(([key, value]): Piece => [`{${quoted(key)}, `, this.value(value), "}"]),
      "}",
      { trailing: true },
    );
  }

  list(type: string, items: readonly Value[]): Piece {
    return bracketed(
      `${type}{`,
      items.map((item) => this.value(item)),
      "}",
      { trailing: true },
    );
  }

  private options(type: string, given: readonly (readonly [string, Piece | boolean | number | null])[]): Piece | null {
    const calls = given.flatMap(([name, value]): Piece[] =>
      value === null
        ? []
        : [[`.Set${name}(`, typeof value === "boolean" || typeof value === "number" ? String(value) : value, ")"]],
    );
    return calls.length === 0 ? null : [`${this.use(`${driver}/mongo/options`)}.${type}()`, ...calls];
  }

  call(operation: Operation): Piece {
    const { kind } = operation;
    const call = (name: string, ...args: readonly (Piece | null)[]): Piece => [
      `collection.${name}`,
      bracketed("(", ["ctx", ...args.filter((one) => one !== null)], ")", { trailing: true }),
    ];
    const document = (value: DocumentValue): Piece => this.document(value);
    switch (kind) {
      case "find":
      case "findOne": {
        const { filter, projection, sort } = operation;
        const more =
          kind === "find"
            ? ([
                ["Skip", operation.skip],
                ["Limit", operation.limit],
              ] as const)
            : [];
        return call(
          kind === "find" ? "Find" : "FindOne",
          document(filter),
          this.options(kind === "find" ? "Find" : "FindOne", [
            ["Projection", projection && document(projection)],
            ["Sort", sort && document(sort)],
            ...more,
          ]),
        );
      }
      case "aggregate":
        return call(
          "Aggregate",
          this.list("mongo.Pipeline", operation.pipeline),
          this.options("Aggregate", [["AllowDiskUse", operation.allowDiskUse]]),
        );
      case "insertOne":
        return call("InsertOne", document(operation.document));
      case "insertMany":
        return call(
          "InsertMany",
          this.list("[]bson.D", operation.documents),
          this.options("InsertMany", [["Ordered", operation.ordered]]),
        );
      case "updateOne":
      case "updateMany": {
        const { filter, update, upsert, arrayFilters } = operation;
        const name = kind === "updateOne" ? "UpdateOne" : "UpdateMany";
        return call(
          name,
          document(filter),
          "kind" in update ? document(update) : this.list("mongo.Pipeline", update),
          this.options(name, [
            ["Upsert", upsert],
            ["ArrayFilters", arrayFilters && this.list("[]any", arrayFilters)],
          ]),
        );
      }
      case "replaceOne":
        return call(
          "ReplaceOne",
          document(operation.filter),
          document(operation.replacement),
          this.options("Replace", [["Upsert", operation.upsert]]),
        );
      case "deleteOne":
        return call("DeleteOne", document(operation.filter));
      case "deleteMany":
        return call("DeleteMany", document(operation.filter));
      case "countDocuments":
        return call("CountDocuments", document(operation.filter));
      case "distinct":
        return call("Distinct", quoted(operation.field), document(operation.filter));
      case "createIndex": {
        const options = this.options(
          "Index",
          givenOptions(operation.options).map(([name, value]) => [
            `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
            typeof value === "string" ? quoted(value) : typeof value === "object" ? document(value) : value,
          ]),
        );
        const fields: readonly Piece[] = [
          ["Keys: ", document(operation.keys)],
          ...(options === null ? [] : [["Options: ", options]]),
        ];
        return [
          "collection.Indexes().CreateOne(ctx, ",
          bracketed("mongo.IndexModel{", fields, "}", { trailing: true }),
          ")",
        ];
      }
    }
  }
}

/** For the Go driver, as a program. */
export function go({ database, collection, operation }: Statement): Translation {
  const writer = new Go();
  const call = writer.call(operation);
  const { kind } = operation;
  const decoded = (variable: string, type: string, from: Piece): string =>
    `var ${variable} ${type}\n${layOut(["if err := ", from], layout)}; err != nil {\n\tlog.Fatal(err)\n}`;
  const result =
    kind === "find" || kind === "aggregate"
      ? "documents"
      : kind === "findOne"
        ? "document"
        : kind === "distinct"
          ? "values"
          : kind === "countDocuments"
            ? "count"
            : kind === "createIndex"
              ? "name"
              : "result";
  let main: string;
  if (kind === "find" || kind === "aggregate")
    main =
      `${layOut(["cursor, err := ", call], layout)}\n${fails}\n` +
      `${decoded("documents", "[]bson.D", "cursor.All(ctx, &documents)")}`;
  else if (kind === "findOne") main = decoded("document", "bson.D", [call, ".Decode(&document)"]);
  else if (kind === "distinct") main = decoded("values", "bson.A", [call, ".Decode(&values)"]);
  else main = `${layOut([`${result}, err := `, call], layout)}\n${fails}`;
  // An empty pipeline needs it only for the variable it is read into.
  if (main.includes("bson.")) writer.imports.add(`${driver}/bson`);
  const statement = [...writer.before, main].join("\n");
  const imports = [
    ...new Set([...writer.imports, "context", "fmt", "log", `${driver}/mongo`, `${driver}/mongo/options`]),
  ].sort();
  const group = (standard: boolean): string =>
    imports
      .filter((path) => !path.includes(".") === standard)
      .map((path) => `\t${quoted(path)}\n`)
      .join("");
  const open =
    `ctx := context.Background()\nclient, err := mongo.Connect(options.Client().ApplyURI(${quoted(address)}))\n` +
    `${fails}\ndefer client.Disconnect(ctx)\ncollection := ` +
    `client.Database(${quoted(database)}).Collection(${quoted(collection)})`;
  const body = `${open}\n\n${statement}\nfmt.Println(${result})`;
  return {
    statement,
    program:
      `package main\n\nimport (\n${group(true)}\n${group(false)})\n\n` + `func main() {\n${indented(body, "\t")}\n}\n`,
  };
}
