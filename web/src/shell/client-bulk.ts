/**
 * `Mongo.bulkWrite` and `MongoClient.bulkWrite`: writes to several collections through the `bulkWrite` command.
 *
 * Invariant: a generator that yields commands for the admin database and is given their replies, so that the
 * synchronous shell and the asynchronous driver share it. A command has at most as many operations and bytes as the
 * server takes, and more are another command. Indexes told are those of the caller's list.
 */
import { MAX_STATEMENTS, type Cut } from "../codec/cut.ts";
import type { Document } from "./errors.ts";

export interface ClientInsertOneResult {
  readonly insertedId: unknown;
}
export interface ClientUpdateResult {
  readonly matchedCount: number;
  readonly modifiedCount: number;
  readonly didUpsert: boolean;
  upsertedId?: unknown;
}
export interface ClientDeleteResult {
  readonly deletedCount: number;
}

/** The counts of a batch. With `verboseResults` also the result of each model, by its place in the list of models. */
export interface ClientBulkWriteResult {
  readonly acknowledged: boolean;
  insertedCount: number;
  upsertedCount: number;
  matchedCount: number;
  modifiedCount: number;
  deletedCount: number;
  readonly insertResults: ReadonlyMap<number, ClientInsertOneResult> | undefined;
  readonly updateResults: ReadonlyMap<number, ClientUpdateResult> | undefined;
  readonly deleteResults: ReadonlyMap<number, ClientDeleteResult> | undefined;
}

export interface ClientBulkWriteError {
  readonly code: number;
  readonly message: string;
}

/** The failure, and the counts of operations done before. */
export interface ClientBulkFailure {
  readonly writeErrors: ReadonlyMap<number, ClientBulkWriteError>;
  readonly writeConcernErrors: readonly Document[];
  readonly partialResult: ClientBulkWriteResult;
  /** The error, if the server refused a whole command. */
  readonly error?: unknown;
}

/** How the caller's side makes ids and errors. */
export interface ClientBulkRules {
  /** Gives a document an `_id` if it has none. */
  withId(document: unknown): Document;
  /** The id of a cursor, as `getMore` takes it. */
  cursorId(id: unknown): unknown;
  /** An order as a command takes it; undefined for none. */
  sort(sort: unknown): unknown;
  invalid(message: string): Error;
  failed(message: string, failure: ClientBulkFailure): Error;
}

/** A command to send. */
export interface ClientBulkCommand {
  readonly command: Document;
  /** The statements that the encoder may leave out of a `bulkWrite`; none for a `getMore`. */
  readonly cut?: Cut;
}

const CURSOR_COLLECTION = "$cmd.bulkWrite";

function isOperator(document: unknown): boolean {
  return typeof document === "object" && document !== null && (Object.keys(document)[0] ?? "").startsWith("$");
}

function checkUpdate(update: unknown, invalid: ClientBulkRules["invalid"]): void {
  const stages = Array.isArray(update) ? update : [update];
  if (stages.length === 0) throw invalid("Client bulk write update model pipelines may not be empty.");
  for (const stage of stages) {
    if (typeof stage === "object" && stage !== null && Object.keys(stage).length === 0)
      throw invalid("Client bulk write update models may not be empty.");
    if (!isOperator(stage))
      throw invalid("Client bulk write update models must only contain atomic modifiers (start with $).");
  }
}

function checkReplacement(replacement: unknown, invalid: ClientBulkRules["invalid"]): void {
  if (typeof replacement !== "object" || replacement === null || Object.keys(replacement).length === 0)
    throw invalid("Client bulk write replace models may not be empty.");
  if (isOperator(replacement))
    throw invalid("Client bulk write replace models must not contain atomic modifiers (start with $).");
}

const FILTERED = ["filter", "collation", "hint"];
const CHANGED = [...FILTERED, "upsert", "update", "arrayFilters"];

/** The fields that each model may have besides `name` and `namespace`. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  insertOne: ["document"],
  updateOne: [...CHANGED, "sort"],
  updateMany: CHANGED,
  replaceOne: [...FILTERED, "upsert", "replacement", "sort"],
  deleteOne: FILTERED,
  deleteMany: FILTERED,
};

/** A model as an operation of the command. */
function asOperation(model: Document, namespace: number, rules: ClientBulkRules): Document {
  const name = String(model["name"]);
  const fields = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (fields === undefined) throw rules.invalid(`Unknown client bulk write model: ${name}`);
  const given = Object.entries(model).filter(
    ([field, value]) => field !== "name" && field !== "namespace" && value !== undefined,
  );
  const strange = given.find(([field]) => !fields.includes(field));
  if (strange !== undefined) throw rules.invalid(`option ${name}.${strange[0]} is not supported`);
  const { document, filter, update, replacement, sort, ...rest } = Object.fromEntries(given) as Document;
  if (name === "insertOne") return { insert: namespace, document: rules.withId(document) };
  const multi = name.endsWith("Many");
  if (name.startsWith("delete")) return { delete: namespace, multi, filter, ...rest };
  if (name === "replaceOne") checkReplacement(replacement, rules.invalid);
  else checkUpdate(update, rules.invalid);
  const order = rules.sort(sort);
  return {
    update: namespace,
    multi,
    filter,
    updateMods: name === "replaceOne" ? replacement : update,
    ...rest,
    ...(order === undefined ? {} : { sort: order }),
  };
}

/** Runs a batch: yields commands for the admin database, takes their replies, and gives the result. */
export function* clientBulkWrite(
  models: readonly Document[],
  options: Document,
  rules: ClientBulkRules,
  acknowledged = true,
): Generator<ClientBulkCommand, ClientBulkWriteResult, Document> {
  if (!Array.isArray(models) || models.length === 0) throw rules.invalid("No client bulk write models were provided.");
  const { ordered = true, verboseResults = false, ...others } = options;
  const insertResults = new Map<number, ClientInsertOneResult>();
  const updateResults = new Map<number, ClientUpdateResult>();
  const deleteResults = new Map<number, ClientDeleteResult>();
  const result: ClientBulkWriteResult = {
    acknowledged,
    insertedCount: 0,
    upsertedCount: 0,
    matchedCount: 0,
    modifiedCount: 0,
    deletedCount: 0,
    insertResults: verboseResults === true ? insertResults : undefined,
    updateResults: verboseResults === true ? updateResults : undefined,
    deleteResults: verboseResults === true ? deleteResults : undefined,
  };
  const writeErrors = new Map<number, ClientBulkWriteError>();
  const writeConcernErrors: Document[] = [];
  const failed = (message: string, error?: unknown): Error =>
    rules.failed(message, { writeErrors, writeConcernErrors, partialResult: result, error });

  for (let start = 0, sent = 0; start < models.length; start += sent) {
    const namespaces = new Map<string, number>();
    const ops = models.slice(start, start + MAX_STATEMENTS).map((model) => {
      const name = String(model["namespace"]);
      if (!namespaces.has(name)) namespaces.set(name, namespaces.size);
      return asOperation(model, namespaces.get(name) as number, rules);
    });
    const nsInfo = [...namespaces.keys()].map((ns) => ({ ns }));
    const cut: Cut = { statements: ops, left: 0 };
    let reply: Document;
    try {
      // The operations come last, so that the encoder knows how long all else is.
      const command = { bulkWrite: 1, nsInfo, ordered, errorsOnly: verboseResults !== true, ...others, ops };
      reply = yield { command, cut };
    } catch (error) {
      throw failed("Mongo client bulk write encountered an error during execution", error);
    }
    sent = ops.length - cut.left;
    // With `w: 0` the counts stay 0: a driver does not see that reply.
    if (!acknowledged) continue;
    result.insertedCount += Number(reply["nInserted"]);
    result.upsertedCount += Number(reply["nUpserted"]);
    result.matchedCount += Number(reply["nMatched"]);
    result.modifiedCount += Number(reply["nModified"]);
    result.deletedCount += Number(reply["nDeleted"]);
    if (reply["writeConcernError"] !== undefined) writeConcernErrors.push(reply["writeConcernError"] as Document);
    for (;;) {
      const cursor = reply["cursor"] as Document;
      for (const item of (cursor["firstBatch"] ?? cursor["nextBatch"]) as Document[]) {
        const place = start + Number(item["idx"]);
        const operation = ops[Number(item["idx"])] as Document;
        const upserted = item["upserted"] as Document | undefined;
        if (Number(item["ok"]) !== 1)
          writeErrors.set(place, { code: Number(item["code"]), message: String(item["errmsg"]) });
        else if ("insert" in operation)
          insertResults.set(place, { insertedId: (operation["document"] as Document)["_id"] });
        else if ("delete" in operation) deleteResults.set(place, { deletedCount: Number(item["n"]) });
        else {
          const done: ClientUpdateResult = {
            matchedCount: Number(item["n"]),
            modifiedCount: Number(item["nModified"] ?? 0),
            didUpsert: upserted !== undefined,
          };
          if (upserted !== undefined) done.upsertedId = upserted["_id"];
          updateResults.set(place, done);
        }
      }
      if (String(cursor["id"]) === "0") break;
      reply = yield { command: { getMore: rules.cursorId(cursor["id"]), collection: CURSOR_COLLECTION } };
    }
    if (ordered !== false && writeErrors.size > 0)
      throw failed("Mongo client ordered bulk write encountered a write error.");
  }
  if (writeErrors.size > 0 || writeConcernErrors.length > 0)
    throw failed("Mongo client bulk write encountered errors during execution.");
  return result;
}
