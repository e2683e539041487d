/** Statements for PyMongo. Invariant: pure. */
import { dateParts } from "./dates.ts";
import { bracketed, indented, layOut, type Piece } from "./layout.ts";
import { isEmpty, type DocumentValue, type Operation, type Statement, type Translation, type Value } from "./model.ts";
import { address, doubleText, givenOptions, quoted } from "./texts.ts";

const layout = { width: 88, indent: "    " };
const truth = (value: boolean): string => (value ? "True" : "False");

class Python {
  readonly imports = new Set<string>();

  private from(module: string, name: string): string {
    this.imports.add(`from ${module} import ${name}`);
    return name;
  }

  value(value: Value): Piece {
    switch (value.kind) {
      case "null":
        return "None";
      case "now":
        return `${this.from("datetime", "datetime")}.now(${this.from("datetime", "timezone")}.utc)`;
      case "new-object-id":
        return `${this.from("bson.objectid", "ObjectId")}()`;
      case "new-uuid":
        return `${this.from("bson.binary", "Binary")}.from_uuid(${this.from("uuid", "uuid4")}())`;
      case "boolean":
        return truth(value.value);
      case "int32":
        return String(value.value);
      case "double":
        return Number.isFinite(value.value)
          ? doubleText(value.value)
          : `float("${Number.isNaN(value.value) ? "nan" : value.value > 0 ? "inf" : "-inf"}")`;
      case "int64":
        return `${this.from("bson.int64", "Int64")}(${value.value})`;
      case "decimal":
        return `${this.from("bson.decimal128", "Decimal128")}(${quoted(value.value)})`;
      case "string":
        return quoted(value.value);
      case "object-id":
        return `${this.from("bson.objectid", "ObjectId")}(${quoted(value.value)})`;
      case "uuid":
        return `${this.from("bson.binary", "Binary")}.from_uuid(${this.from("uuid", "UUID")}(${quoted(value.value)}))`;
      case "date":
        return this.date(new Date(value.millis));
      case "regex":
        return (
          `${this.from("bson.regex", "Regex")}(${quoted(value.pattern)}` +
          `${value.options === "" ? "" : `, ${quoted(value.options)}`})`
        );
      case "document":
        return this.document(value);
      case "array":
        return this.list(value.items);
    }
  }

  /** Python's own type holds the years 1 to 9999. */
  private date(date: Date): string {
    const year = date.getUTCFullYear();
    if (year < 1 || year > 9999) return `${this.from("bson.datetime_ms", "DatetimeMS")}(${date.getTime()})`;
    const parts = dateParts(date).join(", ");
    return `${this.from("datetime", "datetime")}(${parts}, tzinfo=${this.from("datetime", "timezone")}.utc)`;
  }

  document({ fields }: DocumentValue): Piece {
    return bracketed(
      "{",
      fields.map(([key, value]): Piece => [quoted(key), ": ", this.value(value)]),
      "}",
      { trailing: true },
    );
  }

  list(items: readonly Value[]): Piece {
    return bracketed(
      "[",
      items.map((item) => this.value(item)),
      "]",
      { trailing: true },
    );
  }

  /** Keys in their order, as pairs. */
  private pairs({ fields }: DocumentValue): Piece {
    return bracketed(
      "[",
      fields.map(([key, value]): Piece => ["(", quoted(key), ", ", this.value(value), ")"]),
      "]",
      { trailing: true },
    );
  }

  call(operation: Operation): Piece {
    const { kind } = operation;
    const call = (name: string, ...args: readonly (Piece | null)[]): Piece => [
      `collection.${name}`,
      bracketed(
        "(",
        args.filter((one) => one !== null),
        ")",
        { trailing: true },
      ),
    ];
    const named = (name: string, value: Piece | boolean | null): Piece | null =>
      value === null ? null : [name, "=", typeof value === "boolean" ? truth(value) : value];
    const filled = (filter: DocumentValue, needed = false): Piece | null =>
      isEmpty(filter) && !needed ? null : this.document(filter);
    switch (kind) {
      case "find":
      case "findOne": {
        const { filter, projection, sort } = operation;
        const more =
          kind === "find"
            ? [
                named("skip", operation.skip === null ? null : String(operation.skip)),
                named("limit", operation.limit === null ? null : String(operation.limit)),
              ]
            : [];
        return call(
          kind === "find" ? "find" : "find_one",
          filled(filter, projection !== null),
          projection === null ? null : this.document(projection),
          named("sort", sort === null || isEmpty(sort) ? null : this.pairs(sort)),
          ...more,
        );
      }
      case "aggregate":
        return call("aggregate", this.list(operation.pipeline), named("allowDiskUse", operation.allowDiskUse));
      case "insertOne":
        return call("insert_one", this.document(operation.document));
      case "insertMany":
        return call("insert_many", this.list(operation.documents), named("ordered", operation.ordered));
      case "updateOne":
      case "updateMany": {
        const { filter, update, upsert, arrayFilters } = operation;
        return call(
          kind === "updateOne" ? "update_one" : "update_many",
          this.document(filter),
          "kind" in update ? this.document(update) : this.list(update),
          named("upsert", upsert),
          named("array_filters", arrayFilters === null ? null : this.list(arrayFilters)),
        );
      }
      case "replaceOne":
        return call(
          "replace_one",
          this.document(operation.filter),
          this.document(operation.replacement),
          named("upsert", operation.upsert),
        );
      case "deleteOne":
        return call("delete_one", this.document(operation.filter));
      case "deleteMany":
        return call("delete_many", this.document(operation.filter));
      case "countDocuments":
        return call("count_documents", this.document(operation.filter));
      case "distinct":
        return call("distinct", quoted(operation.field), filled(operation.filter));
      case "createIndex":
        return call(
          "create_index",
          this.pairs(operation.keys),
          ...givenOptions(operation.options).map(([name, value]) =>
            named(
              name,
              typeof value === "string"
                ? quoted(value)
                : typeof value === "object"
                  ? this.document(value)
                  : typeof value === "number"
                    ? String(value)
                    : value,
            ),
          ),
        );
    }
  }
}

/** For PyMongo. */
export function python({ database, collection, operation }: Statement): Translation {
  const writer = new Python();
  const call = writer.call(operation);
  const cursor = operation.kind === "find" || operation.kind === "aggregate";
  const statement = cursor
    ? `${layOut(["for document in ", call, ":"], layout)}\n    print(document)`
    : layOut(["result = ", call], layout);
  const imports = [...writer.imports, "from pymongo import MongoClient"].sort();
  const body =
    `collection = client[${quoted(database)}][${quoted(collection)}]\n` +
    `${statement}${cursor ? "" : "\nprint(result)"}`;
  return {
    statement,
    program: `${imports.join("\n")}\n\nwith MongoClient(${quoted(address)}) as client:\n${indented(body, "    ")}\n`,
  };
}
