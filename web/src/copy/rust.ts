/** Statements for the Rust driver (asynchronous, version 3), with `doc!` throughout. Invariant: pure. */
import { bracketed, chain, indented, layOut, type Piece } from "./layout.ts";
import type { DocumentValue, Operation, Statement, Translation, Value } from "./model.ts";
import { address, dateText, doubleText, givenOptions, quoted as escaped } from "./texts.ts";

const layout = { width: 100, indent: "    " };

/** Rust has no `\b`, `\f` or `\u` of four digits. */
function quoted(text: string): string {
  return escaped(text).replace(/\\\\|\\b|\\f|\\u([\da-f]{4})/g, (found: string, code: string | undefined) =>
    found === "\\\\"
      ? found
      : `\\u{${found === "\\b" ? "8" : found === "\\f" ? "c" : Number.parseInt(code ?? "0", 16).toString(16)}}`,
  );
}

class Rust {
  readonly imports = new Set<string>();

  private bson(name: string): string {
    this.imports.add(`mongodb::bson::${name}`);
    return name.slice(name.lastIndexOf(":") + 1);
  }

  value(value: Value): Piece {
    switch (value.kind) {
      case "null":
        return `${this.bson("Bson")}::Null`;
      case "now":
        return `${this.bson("DateTime")}::now()`;
      case "new-object-id":
        return `${this.bson("oid::ObjectId")}::new()`;
      case "new-uuid":
        return `${this.bson("Uuid")}::new()`;
      case "boolean":
      case "int32":
        return String(value.value);
      case "double":
        return Number.isFinite(value.value)
          ? doubleText(value.value)
          : `f64::${Number.isNaN(value.value) ? "NAN" : value.value > 0 ? "INFINITY" : "NEG_INFINITY"}`;
      case "int64":
        return `${value.value}_i64`;
      case "decimal":
        return `${quoted(value.value)}.parse::<${this.bson("Decimal128")}>()?`;
      case "string":
        return quoted(value.value);
      case "object-id":
        return `${this.bson("oid::ObjectId")}::parse_str(${quoted(value.value)})?`;
      case "uuid":
        return `${this.bson("Uuid")}::parse_str(${quoted(value.value)})?`;
      case "date":
        if (dateText(value.millis) === null) return `${this.bson("DateTime")}::from_millis(${value.millis})`;
        return `${this.bson("DateTime")}::parse_rfc3339_str(${quoted(new Date(value.millis).toISOString())})?`;
      case "regex":
        return (
          `${this.bson("Regex")} { pattern: ${quoted(value.pattern)}.into(), options: ` +
          `${quoted(value.options)}.into() }`
        );
      case "document":
        return this.fields("{", value);
      case "array":
        return bracketed(
          "[",
          value.items.map((item) => this.value(item)),
          "]",
          { trailing: true },
        );
    }
  }

  private fields(open: string, { fields }: DocumentValue): Piece {
    return bracketed(
      open,
      fields.map(([key, value]): Piece => [quoted(key), ": ", this.value(value)]),
      "}",
      { padded: true, trailing: true },
    );
  }

  document(value: DocumentValue): Piece {
    this.bson("doc");
    return this.fields("doc! {", value);
  }

  private list(documents: readonly DocumentValue[]): Piece {
    return bracketed(
      "vec![",
      documents.map((one) => this.document(one)),
      "]",
      { trailing: true },
    );
  }

  /** The call on the collection, and the calls on it before it is awaited. */
  calls(operation: Operation): readonly [Piece, readonly Piece[]] {
    const { kind } = operation;
    const call = (name: string, ...args: readonly Piece[]): Piece => [
      `collection.${name}`,
      bracketed("(", args, ")", { trailing: true }),
    ];
    const step = (name: string, value: Piece | boolean | number | null): readonly Piece[] =>
      value === null
        ? []
        : [[`.${name}(`, typeof value === "boolean" || typeof value === "number" ? String(value) : value, ")"]];
    const document = (value: DocumentValue): Piece => this.document(value);
    switch (kind) {
      case "find":
      case "findOne": {
        const { filter, projection, sort } = operation;
        const more = kind === "find" ? [...step("skip", operation.skip), ...step("limit", operation.limit)] : [];
        return [
          call(kind === "find" ? "find" : "find_one", document(filter)),
          [...step("projection", projection && document(projection)), ...step("sort", sort && document(sort)), ...more],
        ];
      }
      case "aggregate":
        return [call("aggregate", this.list(operation.pipeline)), step("allow_disk_use", operation.allowDiskUse)];
      case "insertOne":
        return [call("insert_one", document(operation.document)), []];
      case "insertMany":
        return [call("insert_many", this.list(operation.documents)), step("ordered", operation.ordered)];
      case "updateOne":
      case "updateMany": {
        const { filter, update, upsert, arrayFilters } = operation;
        return [
          call(
            kind === "updateOne" ? "update_one" : "update_many",
            document(filter),
            "kind" in update ? document(update) : this.list(update),
          ),
          [...step("upsert", upsert), ...step("array_filters", arrayFilters && this.list(arrayFilters))],
        ];
      }
      case "replaceOne":
        return [
          call("replace_one", document(operation.filter), document(operation.replacement)),
          step("upsert", operation.upsert),
        ];
      case "deleteOne":
        return [call("delete_one", document(operation.filter)), []];
      case "deleteMany":
        return [call("delete_many", document(operation.filter)), []];
      case "countDocuments":
        return [call("count_documents", document(operation.filter)), []];
      case "distinct":
        return [call("distinct", quoted(operation.field), document(operation.filter)), []];
      case "createIndex":
        return [call("create_index", this.index(operation)), []];
    }
  }

  private index({ keys, options }: Extract<Operation, { kind: "createIndex" }>): Piece {
    this.imports.add("mongodb::IndexModel");
    const set = givenOptions(options).map(([name, value]): Piece => {
      if (name === "expireAfterSeconds") {
        this.imports.add("std::time::Duration");
        return `.expire_after(Duration::from_secs(${String(value)}))`;
      }
      const named = name === "partialFilterExpression" ? "partial_filter_expression" : name;
      return [
        `.${named}(`,
        typeof value === "string"
          ? `${quoted(value)}.to_string()`
          : typeof value === "object"
            ? this.document(value)
            : String(value),
        ")",
      ];
    });
    if (set.length > 0) this.imports.add("mongodb::options::IndexOptions");
    const made = set.length === 0 ? [] : [[".options(", chain("IndexOptions::builder()", [...set, ".build()"]), ")"]];
    return chain("IndexModel::builder()", [[".keys(", this.document(keys), ")"], ...made, ".build()"]);
  }
}

/** For the Rust driver, as a program on Tokio. */
export function rust({ database, collection, operation }: Statement): Translation {
  const writer = new Rust();
  const [first, more] = writer.calls(operation);
  const { kind } = operation;
  const cursor = kind === "find" || kind === "aggregate";
  const result = cursor
    ? "mut cursor"
    : kind === "findOne"
      ? "document"
      : kind === "countDocuments"
        ? "count"
        : kind === "distinct"
          ? "values"
          : "result";
  const call = `${layOut(chain([`let ${result} = `, first], [...more, ".await?"]), layout)};`;
  const statement = cursor
    ? `${call}\nwhile let Some(document) = cursor.try_next().await? {\n    println!("{document}");\n}`
    : call;
  const imports = [
    ...new Set([
      ...writer.imports,
      "mongodb::Client",
      "mongodb::bson::Document",
      ...(cursor ? ["futures::TryStreamExt"] : []),
    ]),
  ].sort();
  const body =
    `let client = Client::with_uri_str(${quoted(address)}).await?;\n` +
    `let collection = client.database(${quoted(database)}).collection::<Document>(${quoted(collection)});\n\n` +
    `${statement}${cursor ? "" : `\nprintln!("{${result}:?}");`}\nOk(())`;
  const program =
    `${imports.map((path) => `use ${path};`).join("\n")}\n\n#[tokio::main]\n` +
    `async fn main() -> Result<(), Box<dyn std::error::Error>> {\n${indented(body, "    ")}\n}\n`;
  return { statement, program };
}
