/** Statements for the PHP library (`mongodb/mongodb`). Invariant: pure. */
import { bracketed, layOut, type Piece } from "./layout.ts";
import { isEmpty, type DocumentValue, type Operation, type Statement, type Translation, type Value } from "./model.ts";
import { address, dateText, doubleText, givenOptions, quoted } from "./texts.ts";

const layout = { width: 100, indent: "    " };

/** A text in single quotes, in which `$` is a letter; in double quotes where something has to be escaped. */
function text(value: string): string {
  const escaped = quoted(value);
  const plain = escaped.slice(1, -1).replace(/\\["\\]/g, "");
  if (!plain.includes("\\")) return `'${value.replace(/[\\']/g, "\\$&")}'`;
  return escaped.replace(/\\(u)([\da-f]{4})|\\b|\\.|\$/gi, (found, unicode?: string, digits?: string) =>
    unicode !== undefined ? `\\u{${digits}}` : found === "\\b" ? "\\u{0008}" : found === "$" ? "\\$" : found,
  );
}

class Php {
  readonly uses = new Set<string>();

  private bson(name: string): string {
    this.uses.add(`MongoDB\\BSON\\${name}`);
    return name;
  }

  value(value: Value): Piece {
    switch (value.kind) {
      case "null":
        return "null";
      case "now":
        return `new ${this.bson("UTCDateTime")}()`;
      case "new-object-id":
        return `new ${this.bson("ObjectId")}()`;
      case "new-uuid":
        // Version 4: the language has no function for it.
        return (
          `new ${this.bson("Binary")}(random_bytes(6) . chr(random_int(0x40, 0x4f)) . random_bytes(1) . ` +
          "chr(random_int(0x80, 0xbf)) . random_bytes(7), Binary::TYPE_UUID)"
        );
      case "boolean":
      case "int32":
        return String(value.value);
      case "double":
        return Number.isFinite(value.value)
          ? doubleText(value.value)
          : Number.isNaN(value.value)
            ? "NAN"
            : `${value.value < 0 ? "-" : ""}INF`;
      case "int64":
        return `new ${this.bson("Int64")}('${value.value}')`;
      case "decimal":
        return `new ${this.bson("Decimal128")}(${text(value.value)})`;
      case "string":
        return text(value.value);
      case "object-id":
        return `new ${this.bson("ObjectId")}(${text(value.value)})`;
      case "uuid":
        return `new ${this.bson("Binary")}(hex2bin('${value.value.replaceAll("-", "")}'), Binary::TYPE_UUID)`;
      case "date":
        return dateText(value.millis) === null
          ? `new ${this.bson("UTCDateTime")}(${value.millis})`
          : `new ${this.bson("UTCDateTime")}(new DateTimeImmutable('${new Date(value.millis).toISOString()}'))`;
      case "regex":
        return (
          `new ${this.bson("Regex")}(${text(value.pattern)}` +
          `${value.options === "" ? "" : `, ${text(value.options)}`})`
        );
      case "document":
        return this.document(value);
      case "array":
        return this.list(value.items);
    }
  }

  /** An array with keys; an object where the keys would make a list of it, or where there are none. */
  document({ fields }: DocumentValue): Piece {
    const isList = fields.length === 0 || fields.some(([key]) => /^(0|-?[1-9]\d*)$/.test(key));
    const array = bracketed(
      "[",
      fields.map(([key, value]): Piece => [text(key), " => ", this.value(value)]),
      "]",
      { trailing: true },
    );
    return isList ? ["(object) ", array] : array;
  }

  list(items: readonly Value[]): Piece {
    return bracketed(
      "[",
      items.map((item) => this.value(item)),
      "]",
      { trailing: true },
    );
  }

  call(operation: Operation): Piece {
    const { kind } = operation;
    const call = (
      name: string,
      args: readonly (Piece | null)[],
      options: readonly (readonly [string, Piece | boolean | null])[] = [],
    ): Piece => {
      const given = options.flatMap(([option, value]): Piece[] =>
        value === null ? [] : [[`'${option}' => `, typeof value === "boolean" ? String(value) : value]],
      );
      const all = args.filter((one) => one !== null);
      return [
        `$collection->${name}`,
        bracketed("(", given.length === 0 ? all : [...all, bracketed("[", given, "]", { trailing: true })], ")"),
      ];
    };
    const filter = (value: DocumentValue): Piece => (isEmpty(value) ? "[]" : this.document(value));
    const document = (value: DocumentValue | null): Piece | null => (value === null ? null : this.document(value));
    switch (kind) {
      case "find":
      case "findOne": {
        const options: readonly (readonly [string, Piece | null])[] = [
          ["projection", document(operation.projection)],
          ["sort", document(operation.sort)],
          ...(kind === "find"
            ? ([
                ["skip", operation.skip === null ? null : String(operation.skip)],
                ["limit", operation.limit === null ? null : String(operation.limit)],
              ] as const)
            : []),
        ];
        const bare = isEmpty(operation.filter) && options.every(([, value]) => value === null);
        return call(kind, bare ? [] : [filter(operation.filter)], options);
      }
      case "aggregate":
        return call("aggregate", [this.list(operation.pipeline)], [["allowDiskUse", operation.allowDiskUse]]);
      case "insertOne":
        return call("insertOne", [filter(operation.document)]);
      case "insertMany":
        return call("insertMany", [this.list(operation.documents)], [["ordered", operation.ordered]]);
      case "updateOne":
      case "updateMany": {
        const { update, upsert, arrayFilters } = operation;
        return call(
          kind,
          [filter(operation.filter), "kind" in update ? this.document(update) : this.list(update)],
          [
            ["upsert", upsert],
            ["arrayFilters", arrayFilters && this.list(arrayFilters)],
          ],
        );
      }
      case "replaceOne":
        return call(
          "replaceOne",
          [filter(operation.filter), filter(operation.replacement)],
          [["upsert", operation.upsert]],
        );
      case "deleteOne":
      case "deleteMany":
        return call(kind, [filter(operation.filter)]);
      case "countDocuments":
        return call(kind, [isEmpty(operation.filter) ? null : filter(operation.filter)]);
      case "distinct":
        return call(kind, [text(operation.field), isEmpty(operation.filter) ? null : filter(operation.filter)]);
      case "createIndex":
        return call(
          kind,
          [this.document(operation.keys)],
          givenOptions(operation.options).map(([name, value]) => [
            name,
            typeof value === "string" ? text(value) : typeof value === "object" ? document(value) : String(value),
          ]),
        );
    }
  }
}

/** The variable for a call's result, and the member of it that the program prints. */
const results: Readonly<
  Record<Exclude<Operation["kind"], "find" | "aggregate">, readonly [name: string, shown: string]>
> = {
  findOne: ["$document", ""],
  insertOne: ["$result", "->getInsertedId()"],
  insertMany: ["$result", "->getInsertedIds()"],
  updateOne: ["$result", "->getModifiedCount()"],
  updateMany: ["$result", "->getModifiedCount()"],
  replaceOne: ["$result", "->getModifiedCount()"],
  deleteOne: ["$result", "->getDeletedCount()"],
  deleteMany: ["$result", "->getDeletedCount()"],
  countDocuments: ["$count", ""],
  distinct: ["$values", ""],
  createIndex: ["$name", ""],
};

/** For the PHP library. */
export function php({ database, collection, operation }: Statement): Translation {
  const writer = new Php();
  const call = writer.call(operation);
  const { kind } = operation;
  let statement: string;
  let shown = "";
  if (kind === "find" || kind === "aggregate")
    statement =
      `${layOut(["$cursor = ", call], layout)};\nforeach ($cursor as $document) {\n` +
      "    echo json_encode($document), PHP_EOL;\n}";
  else {
    const [name, part] = results[kind];
    statement = `${layOut([`${name} = `, call], layout)};`;
    shown = `\nvar_dump(${name}${part});`;
  }
  const uses = [...writer.uses, "MongoDB\\Client"].sort().map((name) => `use ${name};`);
  return {
    statement,
    program:
      `<?php\n\nrequire __DIR__ . '/vendor/autoload.php';\n\n${uses.join("\n")}\n\n` +
      `$client = new Client(${text(address)});\n` +
      `$collection = $client->selectCollection(${text(database)}, ${text(collection)});\n${statement}${shown}\n`,
  };
}
