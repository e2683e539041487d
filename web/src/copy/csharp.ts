/** Statements for the .NET driver in C# (`MongoDB.Driver`), with `BsonDocument` throughout. Invariant: pure. */
import { bracketed, chain, layOut, type Piece } from "./layout.ts";
import type { DocumentValue, Operation, Statement, Translation, Value } from "./model.ts";
import { address, doubleText, givenOptions, quoted } from "./texts.ts";

const layout = { width: 100, indent: "    " };

function value(given: Value): Piece {
  switch (given.kind) {
    case "null":
      return "BsonNull.Value";
    case "now":
      return "DateTime.UtcNow";
    case "new-object-id":
      return "ObjectId.GenerateNewId()";
    case "new-uuid":
      return "new BsonBinaryData(Guid.NewGuid(), GuidRepresentation.Standard)";
    case "boolean":
    case "int32":
      return String(given.value);
    case "double":
      return Number.isFinite(given.value)
        ? doubleText(given.value)
        : `double.${Number.isNaN(given.value) ? "NaN" : given.value > 0 ? "PositiveInfinity" : "NegativeInfinity"}`;
    case "int64":
      return `${given.value}L`;
    case "decimal":
      return `Decimal128.Parse(${quoted(given.value)})`;
    case "string":
      return quoted(given.value);
    case "object-id":
      return `ObjectId.Parse(${quoted(given.value)})`;
    case "uuid":
      return `new BsonBinaryData(Guid.Parse(${quoted(given.value)}), GuidRepresentation.Standard)`;
    case "date":
      return date(new Date(given.millis));
    case "regex":
      return (
        `new BsonRegularExpression(${quoted(given.pattern)}` +
        `${given.options === "" ? "" : `, ${quoted(given.options)}`})`
      );
    case "document":
      return document(given);
    case "array":
      return bracketed("new BsonArray {", given.items.map(value), "}", { padded: true });
  }
}

/** The language's own type holds the years 1 to 9999. */
function date(given: Date): string {
  const year = given.getUTCFullYear();
  if (year < 1 || year > 9999) return `new BsonDateTime(${given.getTime()}L)`;
  const millis = given.getUTCMilliseconds();
  const parts = [
    year,
    given.getUTCMonth() + 1,
    given.getUTCDate(),
    given.getUTCHours(),
    given.getUTCMinutes(),
    given.getUTCSeconds(),
    ...(millis === 0 ? [] : [millis]),
  ];
  return `new DateTime(${parts.join(", ")}, DateTimeKind.Utc)`;
}

function document({ fields }: DocumentValue): Piece {
  const [first, ...more] = fields;
  if (first === undefined) return "new BsonDocument()";
  if (more.length === 0) return bracketed("new BsonDocument(", [[quoted(first[0])], value(first[1])], ")");
  return bracketed(
    "new BsonDocument {",
    fields.map(([key, one]): Piece => ["{ ", quoted(key), ", ", value(one), " }"]),
    "}",
    { padded: true },
  );
}

const documents = (given: readonly DocumentValue[]): Piece =>
  given.length === 0
    ? "Array.Empty<BsonDocument>()"
    : bracketed("new BsonDocument[] {", given.map(document), "}", { padded: true });

function options(type: string, given: readonly (readonly [string, Piece | boolean | null])[]): Piece | null {
  const set = given.flatMap(([name, one]): Piece[] =>
    one === null ? [] : [[`${name} = `, typeof one === "boolean" ? String(one) : one]],
  );
  return set.length === 0 ? null : bracketed(`new ${type} {`, set, "}", { padded: true });
}

/** The call on the collection, and the calls on its result. */
function calls(operation: Operation): readonly [Piece, readonly Piece[]] {
  const { kind } = operation;
  const call = (name: string, ...args: readonly (Piece | null)[]): Piece => [
    `collection.${name}`,
    bracketed(
      "(",
      args.filter((one) => one !== null),
      ")",
    ),
  ];
  switch (kind) {
    case "find":
    case "findOne": {
      const { filter, projection, sort } = operation;
      const step = (name: string, one: Piece | null): readonly Piece[] =>
        one === null ? [] : [[`.${name}(`, one, ")"]];
      return [
        call("Find", document(filter)),
        [
          ...step("Project<BsonDocument>", projection && document(projection)),
          ...step("Sort", sort && document(sort)),
          ...(kind === "find"
            ? [
                ...step("Skip", operation.skip === null ? null : String(operation.skip)),
                ...step("Limit", operation.limit === null ? null : String(operation.limit)),
                ".ToList()",
              ]
            : [".FirstOrDefault()"]),
        ],
      ];
    }
    case "aggregate":
      return [
        call(
          "Aggregate<BsonDocument>",
          documents(operation.pipeline),
          options("AggregateOptions", [["AllowDiskUse", operation.allowDiskUse]]),
        ),
        [".ToList()"],
      ];
    case "insertOne":
      return [call("InsertOne", document(operation.document)), []];
    case "insertMany":
      return [
        call(
          "InsertMany",
          documents(operation.documents),
          options("InsertManyOptions", [["IsOrdered", operation.ordered]]),
        ),
        [],
      ];
    case "updateOne":
    case "updateMany": {
      const { filter, update, upsert, arrayFilters } = operation;
      const filters =
        arrayFilters &&
        bracketed(
          "new ArrayFilterDefinition[] {",
          arrayFilters.map(
            (one): Piece => ["new BsonDocumentArrayFilterDefinition<BsonDocument>(", document(one), ")"],
          ),
          "}",
          { padded: true },
        );
      return [
        call(
          kind === "updateOne" ? "UpdateOne" : "UpdateMany",
          document(filter),
          "kind" in update ? document(update) : ["Builders<BsonDocument>.Update.Pipeline(", documents(update), ")"],
          options("UpdateOptions", [
            ["IsUpsert", upsert],
            ["ArrayFilters", filters],
          ]),
        ),
        [],
      ];
    }
    case "replaceOne":
      return [
        call(
          "ReplaceOne",
          document(operation.filter),
          document(operation.replacement),
          options("ReplaceOptions", [["IsUpsert", operation.upsert]]),
        ),
        [],
      ];
    case "deleteOne":
      return [call("DeleteOne", document(operation.filter)), []];
    case "deleteMany":
      return [call("DeleteMany", document(operation.filter)), []];
    case "countDocuments":
      return [call("CountDocuments", document(operation.filter)), []];
    case "distinct":
      return [call("Distinct<BsonValue>", quoted(operation.field), document(operation.filter)), [".ToList()"]];
    case "createIndex":
      return [
        call("Indexes.CreateOne", [
          "new CreateIndexModel<BsonDocument>",
          bracketed(
            "(",
            [document(operation.keys), indexOptions(operation)].filter((one) => one !== null),
            ")",
          ),
        ]),
        [],
      ];
  }
}

function indexOptions({ options: given }: Extract<Operation, { kind: "createIndex" }>): Piece | null {
  const names = {
    name: "Name",
    unique: "Unique",
    sparse: "Sparse",
    expireAfterSeconds: "ExpireAfter",
    partialFilterExpression: "PartialFilterExpression",
  } as const;
  return options(
    "CreateIndexOptions<BsonDocument>",
    givenOptions(given).map(([name, one]): readonly [string, Piece] => [
      names[name],
      typeof one === "number"
        ? `TimeSpan.FromSeconds(${one})`
        : typeof one === "string"
          ? quoted(one)
          : typeof one === "object"
            ? document(one)
            : String(one),
    ]),
  );
}

/** The name of the variable for a call's result; null for calls without one. */
const results: Readonly<Record<Operation["kind"], string | null>> = {
  find: "documents",
  findOne: "document",
  aggregate: "documents",
  insertOne: null,
  insertMany: null,
  updateOne: "result",
  updateMany: "result",
  replaceOne: "result",
  deleteOne: "result",
  deleteMany: "result",
  countDocuments: "count",
  distinct: "values",
  createIndex: "name",
};

/** For the .NET driver, with top-level statements. */
export function csharp({ database, collection, operation }: Statement): Translation {
  const [first, more] = calls(operation);
  const { kind } = operation;
  const name = results[kind];
  const statement = `${layOut(chain(name === null ? first : [`var ${name} = `, first], more), layout)};`;
  const isMany = kind === "find" || kind === "aggregate" || kind === "distinct";
  const shown = isMany
    ? `\nforeach (var one in ${name}) Console.WriteLine(one.ToJson());`
    : name === null
      ? ""
      : `\nConsole.WriteLine(${name}${kind === "countDocuments" || kind === "createIndex" ? "" : ".ToJson()"});`;
  return {
    statement,
    program:
      `using MongoDB.Bson;\nusing MongoDB.Driver;\n\nvar client = new MongoClient(${quoted(address)});\n` +
      `var collection = client.GetDatabase(${quoted(database)}).GetCollection<BsonDocument>(${quoted(collection)});\n` +
      `${statement}${shown}\n`,
  };
}
