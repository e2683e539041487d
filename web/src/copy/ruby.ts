/** Statements for the Ruby driver (the `mongo` gem). Invariant: pure. */
import { dateParts } from "./dates.ts";
import { bracketed, layOut, type Piece } from "./layout.ts";
import { isEmpty, type DocumentValue, type Operation, type Statement, type Translation, type Value } from "./model.ts";
import { address, doubleText, givenOptions, quoted } from "./texts.ts";

const layout = { width: 88, indent: "  " };

/** A text in double quotes, in which nothing is put in. */
const text = (value: string): string => quoted(value).replace(/#(?=[{$@])/g, "\\#");

class Ruby {
  readonly requires = new Set<string>();

  value(value: Value): Piece {
    switch (value.kind) {
      case "null":
        return "nil";
      case "now":
        return "Time.now";
      case "new-object-id":
        return "BSON::ObjectId.new";
      case "new-uuid":
        this.requires.add("securerandom");
        return "BSON::Binary.from_uuid(SecureRandom.uuid)";
      case "boolean":
      case "int32":
        return String(value.value);
      case "double":
        return Number.isFinite(value.value)
          ? doubleText(value.value)
          : Number.isNaN(value.value)
            ? "Float::NAN"
            : `${value.value < 0 ? "-" : ""}Float::INFINITY`;
      case "int64":
        return `BSON::Int64.new(${value.value})`;
      case "decimal":
        return `BSON::Decimal128.new(${text(value.value)})`;
      case "string":
        return text(value.value);
      case "object-id":
        return `BSON::ObjectId.from_string(${text(value.value)})`;
      case "uuid":
        return `BSON::Binary.from_uuid(${text(value.value)})`;
      case "date":
        return this.date(new Date(value.millis));
      case "regex":
        // Ruby's own patterns mean other things by their options.
        return `BSON::Regexp::Raw.new(${text(value.pattern)}${value.options === "" ? "" : `, ${text(value.options)}`})`;
      case "document":
        return this.document(value);
      case "array":
        return this.list(value.items);
    }
  }

  private date(date: Date): string {
    return `Time.utc(${dateParts(date).join(", ")})`;
  }

  document({ fields }: DocumentValue): Piece {
    return bracketed(
      "{",
      fields.map(([key, value]): Piece => [text(key), " => ", this.value(value)]),
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

  call(operation: Operation): Piece {
    const { kind } = operation;
    const call = (name: string, ...args: readonly (Piece | null)[]): Piece => {
      const given = args.filter((one) => one !== null);
      return given.length === 0 ? `collection.${name}` : [`collection.${name}`, bracketed("(", given, ")")];
    };
    const named = (name: string, value: Piece | boolean | null): Piece | null =>
      value === null ? null : [`${name}: `, typeof value === "boolean" ? String(value) : value];
    const document = (value: DocumentValue | null): Piece | null => (value === null ? null : this.document(value));
    switch (kind) {
      case "find":
      case "findOne": {
        const { filter, projection, sort } = operation;
        const options = [
          named("projection", document(projection)),
          named("sort", document(sort)),
          ...(kind === "find"
            ? [
                named("skip", operation.skip === null ? null : String(operation.skip)),
                named("limit", operation.limit === null ? null : String(operation.limit)),
              ]
            : []),
        ];
        const bare = isEmpty(filter) && options.every((one) => one === null);
        const found = call("find", bare ? null : this.document(filter), ...options);
        return kind === "find" ? found : [found, ".first"];
      }
      case "aggregate":
        return call("aggregate", this.list(operation.pipeline), named("allow_disk_use", operation.allowDiskUse));
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
          named("array_filters", arrayFilters && this.list(arrayFilters)),
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
        return call("distinct", text(operation.field), isEmpty(operation.filter) ? null : document(operation.filter));
      case "createIndex": {
        const names = {
          name: "name",
          unique: "unique",
          sparse: "sparse",
          expireAfterSeconds: "expire_after",
          partialFilterExpression: "partial_filter_expression",
        } as const;
        return call(
          "indexes.create_one",
          this.document(operation.keys),
          ...givenOptions(operation.options).map(([name, value]) =>
            named(
              names[name],
              typeof value === "string" ? text(value) : typeof value === "object" ? document(value) : String(value),
            ),
          ),
        );
      }
    }
  }
}

/** For the Ruby driver. */
export function ruby({ database, collection, operation }: Statement): Translation {
  const writer = new Ruby();
  const call = writer.call(operation);
  const cursor = operation.kind === "find" || operation.kind === "aggregate";
  const statement = cursor
    ? `${layOut([call, ".each do |document|"], layout)}\n  puts document\nend`
    : layOut(["result = ", call], layout);
  const requires = ["mongo", ...writer.requires].sort().map((name) => `require "${name}"`);
  return {
    statement,
    program:
      `${requires.join("\n")}\n\nclient = Mongo::Client.new(${text(address)}, database: ${text(database)})\n` +
      `collection = client[${text(collection)}]\n${statement}${cursor ? "" : "\np result"}\nclient.close\n`,
  };
}
