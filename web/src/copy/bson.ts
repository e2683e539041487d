/** Values of a script's literals as the BSON classes that a command is made of. */
import { BSONRegExp, Decimal128, Double, Long, ObjectId, UUID, type Document } from "bson";
import type { DocumentValue, Value } from "./model.ts";

/** A document as a command holds it. */
export function bsonDocument({ fields }: DocumentValue): Document {
  return Object.fromEntries(fields.map(([name, value]) => [name, bsonOf(value)]));
}

/** A value as a command holds it. */
export function bsonOf(value: Value): unknown {
  switch (value.kind) {
    case "null":
      return null;
    case "now":
      return new Date();
    case "new-object-id":
      return new ObjectId();
    case "new-uuid":
      return new UUID();
    case "boolean":
    case "int32":
    case "string":
      return value.value;
    case "double":
      return new Double(value.value);
    case "int64":
      return Long.fromString(value.value);
    case "decimal":
      return Decimal128.fromString(value.value);
    case "object-id":
      return new ObjectId(value.value);
    case "uuid":
      return new UUID(value.value);
    case "date":
      return new Date(value.millis);
    case "regex":
      return new BSONRegExp(value.pattern, value.options);
    case "array":
      return value.items.map(bsonOf);
    case "document":
      return bsonDocument(value);
  }
}
