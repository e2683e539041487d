/**
 * The types of filters, updates and models over a collection's documents, by the Node driver's names.
 *
 * Invariant: they take what the Node driver's types take, and over a schema that names its fields they refuse what
 * these refuse (`test/driver-types.ts`). Over `Document` the driver asks for an `ObjectId` in `_id`; here any value may
 * be an `_id` there, as in the database.
 */
import type {
  Binary,
  BSONRegExp,
  BSONSymbol,
  BSONType,
  Code,
  DBRef,
  Decimal128,
  Document,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  ObjectIdLike,
  Timestamp,
} from "bson";
import type { Sort } from "../shell/sort.ts";
import type { CollationOptions } from "./option-types.ts";

export type IntegerType = number | bigint | Int32 | Long;
export type NumericType = IntegerType | Decimal128 | Double;
export type BSONTypeAlias = Exclude<keyof typeof BSONType, "prototype">;

/** The values that are not documents although they are objects. */
type Tagged =
  | Binary
  | BSONRegExp
  | BSONSymbol
  | Code
  | DBRef
  | Decimal128
  | Double
  | Int32
  | Long
  | MaxKey
  | MinKey
  | ObjectId
  | Timestamp;

/** Whether a schema takes any name, as `Document` does. */
type NamesNone<Schema> = string extends keyof Schema ? true : false;

/**
 * The type of a document's `_id`: the schema's own, or `ObjectId` where it has none. A union of schemas gives a union.
 */
export type InferIdType<Schema> = Schema extends unknown
  ? NamesNone<Schema> extends true
    ? ObjectId
    : "_id" extends keyof Schema
      ? KnownId<Exclude<Schema["_id"], undefined>>
      : ObjectId
  : never;
type KnownId<Id> = unknown extends Id ? ObjectId : Id;

/** Leaves a field out of each member of a union; a schema that names no fields stays as it is. */
export type EnhancedOmit<Schema, Name extends string> =
  NamesNone<Schema> extends true ? Schema : Schema extends unknown ? Omit<Schema, Name> : never;

/** A stored document. */
export type WithId<Schema> = EnhancedOmit<Schema, "_id"> & { _id: InferIdType<Schema> };
/** A document whose `_id` may be left out. */
export type OptionalId<Schema> =
  NamesNone<Schema> extends true ? Schema : EnhancedOmit<Schema, "_id"> & { _id?: InferIdType<Schema> };
/** A document to insert: its `_id` may be left out unless the schema asks for one. */
export type OptionalUnlessRequiredId<Schema> = Schema extends { _id: unknown } ? Schema : OptionalId<Schema>;
/** A replacement. */
export type WithoutId<Schema> = Omit<Schema, "_id">;

/** An array's items, and any other type itself. */
export type Flatten<Type> = Type extends readonly (infer Item)[] ? Item : Type;
/** Where a text is asked for, a pattern will do. */
export type RegExpOrString<Type> = Type extends string ? Type | RegExp | BSONRegExp : Type;
/** What a field may equal: its value, and where it is an array one of its items. */
export type AlternativeType<Type> = Type extends readonly (infer Item)[]
  ? Type | RegExpOrString<Item>
  : RegExpOrString<Type>;

/** Operators of a filter on one field whose values are of type `Value`. Other names are those of a document. */
export interface FilterOperators<Value> extends NonObjectIdLikeDocument {
  $eq?: Value;
  $gt?: Value;
  $gte?: Value;
  $in?: readonly Value[];
  $lt?: Value;
  $lte?: Value;
  $ne?: Value;
  $nin?: readonly Value[];
  $not?: FilterOperators<Value> | (Value extends string ? RegExp : never);
  /** False finds the documents without the field. */
  $exists?: boolean;
  $type?: BSONType | BSONTypeAlias | readonly (BSONType | BSONTypeAlias)[];
  $expr?: Document;
  $jsonSchema?: Document;
  $mod?: Value extends number ? readonly [number, number] : never;
  $regex?: Value extends string ? RegExp | BSONRegExp | string : never;
  $options?: Value extends string ? string : never;
  $geoIntersects?: { readonly $geometry: Document };
  $geoWithin?: Document;
  $near?: Document;
  $nearSphere?: Document;
  $maxDistance?: number;
  $all?: readonly unknown[];
  $elemMatch?: Document;
  $size?: Value extends readonly unknown[] ? number : never;
  $bitsAllClear?: BitwiseFilter;
  $bitsAllSet?: BitwiseFilter;
  $bitsAnyClear?: BitwiseFilter;
  $bitsAnySet?: BitwiseFilter;
  $rand?: Readonly<Record<string, never>>;
}
/** A mask of bits: a number, a binary, or the bits' positions. */
export type BitwiseFilter = number | Binary | readonly number[];
/** A document that is not taken for an ObjectId: it has none of the members that tell one. */
export type NonObjectIdLikeDocument = { readonly [Name in keyof ObjectIdLike]?: never } & Document;

/** What a filter may say of one field. */
export type Condition<Type> = AlternativeType<Type> | FilterOperators<AlternativeType<Type>>;

/** What a filter may say beside the names of fields. Dotted paths are taken, and their values are not checked. */
export interface RootFilterOperators<Schema> extends Document {
  $and?: readonly Filter<Schema>[];
  $nor?: readonly Filter<Schema>[];
  $or?: readonly Filter<Schema>[];
  $text?: { $search: string; $language?: string; $caseSensitive?: boolean; $diacriticSensitive?: boolean };
  $where?: string | ((this: Schema) => unknown);
  $comment?: string | Document;
}

/**
 * A filter of documents.
 *
 * @see https://www.mongodb.com/docs/manual/reference/operator/query/
 */
export type Filter<Schema> =
  NamesNone<Schema> extends true
    ? RootFilterOperators<Schema>
    : { [Name in keyof WithId<Schema>]?: Condition<WithId<Schema>[Name]> } & RootFilterOperators<WithId<Schema>>;

/** The names of the fields whose values are of a type. */
export type KeysOfAType<Schema, Type> = {
  [Name in keyof Schema]: NonNullable<Schema[Name]> extends Type ? Name : never;
}[keyof Schema];
/** The names of the other fields. */
export type KeysOfOtherType<Schema, Type> = {
  [Name in keyof Schema]: NonNullable<Schema[Name]> extends Type ? never : Name;
}[keyof Schema];

/** Fields of the type with a value each; other fields of the schema are refused, and dotted paths taken. */
export type OnlyFieldsOfType<Schema, Type = unknown, Value = Type> =
  NamesNone<Schema> extends true
    ? { readonly [path: string]: Value }
    : { readonly [Name in KeysOfAType<Schema, Type>]?: Value } & NotAcceptedFields<Schema, Type> & {
          readonly [path: string]: Value;
        };
/** Refuses the fields that are not of the type. */
export type NotAcceptedFields<Schema, Type> =
  NamesNone<Schema> extends true ? unknown : { readonly [Name in KeysOfOtherType<Schema, Type>]?: never };
/** Values of fields by their names, and of dotted paths, whose values are not checked. */
export type MatchKeysAndValues<Schema> = Readonly<Partial<Schema>> & Readonly<Document>;

type AnyArray = readonly unknown[];
/** For the fields that are arrays one value each, by the array's item; other fields of the schema are refused. */
type OfArrays<Schema, Values> = Readonly<Partial<Values>> & NotAcceptedFields<Schema, AnyArray> & Readonly<Document>;

/** Modifiers of `$push`. */
export interface ArrayOperator<Items extends AnyArray> {
  readonly $each?: Items;
  readonly $position?: number;
  readonly $slice?: number;
  readonly $sort?: Sort;
}
export type PushOperator<Schema> = OfArrays<
  Schema,
  { [Name in KeysOfAType<Schema, AnyArray>]: Flatten<Schema[Name]> | ArrayOperator<readonly Flatten<Schema[Name]>[]> }
>;
export type SetFields<Schema> = OfArrays<
  Schema,
  {
    [Name in KeysOfAType<Schema, AnyArray>]:
      | Flatten<Schema[Name]>
      | { readonly $each?: readonly Flatten<Schema[Name]>[] };
  }
>;
export type PullOperator<Schema> = OfArrays<
  Schema,
  {
    [Name in KeysOfAType<Schema, AnyArray>]: Partial<Flatten<Schema[Name]>> | FilterOperations<Flatten<Schema[Name]>>;
  }
>;
/** A filter of an array's items: by their fields where they are documents, and by operators where they are values. */
export type FilterOperations<Item> = Item extends Tagged | Date
  ? FilterOperators<Item>
  : Item extends Document
    ? { [Name in keyof Item]?: FilterOperators<Item[Name]> }
    : FilterOperators<Item>;
export type PullAllOperator<Schema> = {
  readonly [Name in KeysOfAType<Schema, AnyArray>]?: Schema[Name];
} & NotAcceptedFields<Schema, AnyArray> & { readonly [path: string]: AnyArray };

/**
 * An update by operators.
 *
 * @see https://www.mongodb.com/docs/manual/reference/operator/update/
 */
export type UpdateFilter<Schema> = {
  $currentDate?: OnlyFieldsOfType<Schema, Date | Timestamp, true | { $type: "date" | "timestamp" }>;
  $inc?: OnlyFieldsOfType<Schema, NumericType | undefined>;
  $min?: MatchKeysAndValues<Schema>;
  $max?: MatchKeysAndValues<Schema>;
  $mul?: OnlyFieldsOfType<Schema, NumericType | undefined>;
  $rename?: Readonly<Record<string, string>>;
  $set?: MatchKeysAndValues<Schema>;
  $setOnInsert?: MatchKeysAndValues<Schema>;
  $unset?: OnlyFieldsOfType<Schema, unknown, "" | true | 1>;
  $addToSet?: SetFields<Schema>;
  $pop?: OnlyFieldsOfType<Schema, AnyArray, 1 | -1>;
  $pull?: PullOperator<Schema>;
  $push?: PushOperator<Schema>;
  $pullAll?: PullAllOperator<Schema>;
  $bit?: OnlyFieldsOfType<
    Schema,
    NumericType | undefined,
    { and: IntegerType } | { or: IntegerType } | { xor: IntegerType }
  >;
} & Document;

/** What all models that filter have. */
interface Chosen<Schema> {
  readonly filter: Filter<Schema>;
  readonly collation?: CollationOptions;
  readonly hint?: string | Document;
}
export interface InsertOneModel<Schema extends Document = Document> {
  readonly document: OptionalId<Schema>;
}
export interface ReplaceOneModel<Schema extends Document = Document> extends Chosen<Schema> {
  readonly replacement: WithoutId<Schema>;
  readonly upsert?: boolean;
  readonly sort?: Sort;
}
export interface UpdateManyModel<Schema extends Document = Document> extends Chosen<Schema> {
  readonly update: UpdateFilter<Schema> | readonly Document[];
  readonly arrayFilters?: readonly Document[];
  readonly upsert?: boolean;
}
export interface UpdateOneModel<Schema extends Document = Document> extends UpdateManyModel<Schema> {
  readonly sort?: Sort;
}
export type DeleteOneModel<Schema extends Document = Document> = Chosen<Schema>;
export type DeleteManyModel<Schema extends Document = Document> = Chosen<Schema>;

/** One operation of `Collection.bulkWrite`. */
export type AnyBulkWriteOperation<Schema extends Document = Document> =
  | { readonly insertOne: InsertOneModel<Schema> }
  | { readonly replaceOne: ReplaceOneModel<Schema> }
  | { readonly updateOne: UpdateOneModel<Schema> }
  | { readonly updateMany: UpdateManyModel<Schema> }
  | { readonly deleteOne: DeleteOneModel<Schema> }
  | { readonly deleteMany: DeleteManyModel<Schema> };
