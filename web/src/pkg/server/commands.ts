/**
 * The commands that are a server's own affair: who the client is, what the server lives on, what runs.
 *
 * A command answers itself and tells that it did, or leaves the request to the engine.
 */
import { Binary, Double, Int32, Long, type Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { elements, nameOf, rawField } from "../../codec/members.ts";
import type { Connection, Exchange } from "./connection.ts";
import { idleDocument } from "./operations.ts";

/** An error reply. */
export const errorOf = (code: number, codeName: string, errmsg: string): Document => ({
  ok: new Double(0),
  errmsg,
  code: new Int32(code),
  codeName,
});

const OK = { ok: new Double(1) };
const FAILED = errorOf(18, "AuthenticationFailed", "Authentication failed.");

type Own = (connection: Connection, exchange: Exchange) => Promise<boolean>;

const answered = async (exchange: Exchange, reply: Document): Promise<true> => {
  await exchange.send(encode(reply), false);
  return true;
};

const documentOf = (command: Uint8Array): Document => decode(command, { numbers: "typed" });
const isOk = (reply: Document): boolean => Number(reply["ok"]) === 1;

/** The fields of a hello's reply that the server knows better than its front. */
async function greeting(connection: Connection, reply: Document, asked: Document): Promise<Document> {
  const { service, local } = connection;
  if (reply["setName"] !== undefined) {
    reply["setName"] = service.setName ?? (reply["setName"] as string);
    reply["hosts"] = [local];
    reply["primary"] = reply["me"] = local;
    const last = service.lastReply === null ? undefined : timeOf(service.lastReply);
    if (last !== undefined) reply["lastWrite"] = last;
  }
  reply["connectionId"] = new Int32(connection.id);
  if (typeof asked["client"] === "object") connection.metadata ??= asked["client"] as Document;
  const wanted = Array.isArray(asked["compression"]) ? (asked["compression"] as unknown[]) : [];
  const agreed = wanted.filter((name) => service.compressors.some((each) => each.name === name));
  if (agreed.length > 0) reply["compression"] = agreed;
  const named = asked["saslSupportedMechs"] as unknown;
  const user = named === undefined ? null : await service.users?.findByFullName(named);
  if (user !== null && user !== undefined) reply["saslSupportedMechs"] = user.mechanisms;
  const attempt = asked["speculativeAuthenticate"] as Document | null | undefined;
  if (attempt !== undefined && attempt !== null) {
    const begun = await begin(connection, attempt, attempt["db"]);
    if (isOk(begun)) {
      const { ok: _, ...rest } = begun;
      reply["speculativeAuthenticate"] = rest;
    }
  }
  // `ok` is the last field.
  const { ok, ...fields } = reply;
  return { ...fields, ok };
}

/** What a reply tells of the last write, in the form of a hello. */
function timeOf(reply: Uint8Array): Document | undefined {
  const time = documentOf(reply)["operationTime"] as { readonly high: number } | undefined;
  if (time === undefined) return undefined;
  const opTime = { ts: time, t: Long.fromNumber(1) };
  const date = new Date((time.high >>> 0) * 1000);
  return { opTime, lastWriteDate: date, majorityOpTime: opTime, majorityWriteDate: date };
}

const hello: Own = async (connection, exchange) => {
  const { front } = connection.service;
  let asked = documentOf(exchange.command);
  if (exchange.exhaustAllowed && asked["maxAwaitTimeMS"] === undefined)
    return answered(
      exchange,
      errorOf(51756, "Location51756", "An isMaster or hello request with exhaust must specify 'maxAwaitTimeMS'"),
    );
  for (;;) {
    let reply = front.ask(asked);
    const patience = front.patience;
    if (patience !== undefined) {
      await connection.wait(patience);
      reply = front.ask(asked);
    }
    const goesOn = exchange.exhaustAllowed && isOk(reply) && !connection.isClosed;
    const answer = isOk(reply) ? await greeting(connection, reply, asked) : reply;
    await exchange.send(encode(answer), goesOn);
    if (!goesOn) return true;
    // The client knows this answer now, and need not be told it again before something changes.
    asked = { ...asked, topologyVersion: reply["topologyVersion"] as Document };
    delete asked["speculativeAuthenticate"];
  }
};

/** A hello in an older message: without waiting. */
async function opening(connection: Connection, database: string, command: Uint8Array): Promise<Uint8Array> {
  const { $readPreference: _, ...asked } = documentOf(command);
  const reply = connection.service.front.ask({ ...asked, $db: database });
  return encode(isOk(reply) ? await greeting(connection, reply, asked) : reply);
}

/** Begins to authenticate: the reply. */
async function begin(connection: Connection, asked: Document, database: unknown): Promise<Document> {
  const { users } = connection.service;
  const mechanism = asked["mechanism"] as unknown;
  if (mechanism === undefined)
    return errorOf(40414, "IDLFailedToParse", "BSON field 'saslStart.mechanism' is missing but a required field");
  if (typeof mechanism !== "string")
    return errorOf(14, "TypeMismatch", "BSON field 'saslStart.mechanism' is the wrong type, expected type 'string'");
  connection.conversation = null;
  if (users === null) return FAILED;
  if (!users.isMechanism(mechanism))
    return errorOf(
      334,
      "MechanismUnavailable",
      `Received authentication for mechanism ${mechanism} which is not enabled`,
    );
  const begun = await users.begin(mechanism, textOf(asked["payload"]), database);
  if (begun === null) return FAILED;
  const { user, conversation, payload } = begun;
  conversation.skipsEmptyExchange = (asked["options"] as Document | undefined)?.["skipEmptyExchange"] === true;
  connection.conversation = { of: user, talk: conversation };
  return { conversationId: new Int32(1), done: false, payload: bytesOf(payload), ...OK };
}

/** Goes on authenticating: the reply. */
function goOn(connection: Connection, asked: Document): Document {
  const { conversation, service } = connection;
  if (conversation === null) return errorOf(17, "ProtocolError", "No SASL session state found");
  if (numberOf(asked["conversationId"]) !== 1) return errorOf(17, "ProtocolError", "sasl: Mismatched conversation id");
  const { talk, of } = conversation;
  const isKnown = talk.proven;
  const payload = isKnown ? "" : talk.second(textOf(asked["payload"]));
  const refusal = payload === null ? null : (service.users?.refusal(of) ?? null);
  if (payload === null || refusal !== null) {
    connection.conversation = null;
    return refusal === null ? FAILED : errorOf(18, "AuthenticationFailed", refusal);
  }
  const done = isKnown || talk.skipsEmptyExchange;
  if (done) {
    connection.signIn(of);
    connection.conversation = null;
  }
  return { conversationId: new Int32(1), done, payload: bytesOf(payload), ...OK };
}

/** A client's message; one that is neither bytes nor a text says nothing. */
function textOf(payload: unknown): string {
  if (payload instanceof Binary) return new TextDecoder().decode(payload.buffer.subarray(0, payload.position));
  return typeof payload === "string" ? payload : "";
}
const bytesOf = (text: string): Binary => new Binary(new TextEncoder().encode(text));

/** An answer of the engine's with something put in. */
const patched =
  (change: (connection: Connection, reply: Document) => Document): Own =>
  async (connection, exchange) => {
    const reply = documentOf(await connection.run(exchange.command));
    return answered(exchange, isOk(reply) ? change(connection, reply) : reply);
  };

/** The set's only member as hello names it: by the address that the client came to. */
const memberNamed = (members: unknown, field: string, { local }: Connection): Document[] =>
  (members as readonly Document[]).map((member) => ({ ...member, [field]: local }));

/** Fields of `currentOp` that are no filter: its own options, and those that any command may carry. */
const NO_FILTER = new Set(
  (
    "$all $ownOps $truncateOps $db $clusterTime $readPreference lsid txnNumber autocommit startTransaction comment " +
    "maxTimeMS readConcern writeConcern apiVersion apiStrict apiDeprecationErrors"
  ).split(" "),
);

/** What runs, as documents. */
function operations(connection: Connection, options: { readonly idle: boolean; readonly cuts: boolean }): Document[] {
  const { service } = connection;
  const all = service.operations.all.map((each) => each.document(options.cuts));
  if (options.idle) for (const client of service.clients) if (client.isIdle) all.push(idleDocument(client));
  return all;
}

/** The stage that gives documents; they hold commands, whose operators are data here. */
const given = (documents: readonly Document[]): Document => ({ $documents: { $literal: documents } });

/** Stages that read or write collections. */
const OF_COLLECTIONS = ["$lookup", "$unionWith", "$graphLookup", "$out", "$merge"];

/** Whether a part of a pipeline, however deep, may be a stage that reads or writes a collection. */
const namesCollections = (part: unknown): boolean =>
  typeof part === "object" &&
  part !== null &&
  Object.entries(part).some(([name, inner]) => OF_COLLECTIONS.includes(name) || namesCollections(inner));

/** Runs what is left of a pipeline over documents, without the engine. */
const piped = (connection: Connection, documents: readonly Document[], stages: readonly Document[]): Document =>
  connection.service.front.ask({
    aggregate: 1,
    pipeline: [given(documents), ...stages],
    cursor: { batchSize: 1_000_000 },
    $db: "admin",
  });

/** Has an operation of this request stand in the list of what runs, while `work` is done. */
function listed<Result>(connection: Connection, { command }: Exchange, work: () => Result): Result {
  const operation = connection.service.operations.begin(connection, command);
  try {
    return work();
  } finally {
    connection.service.operations.end(operation);
  }
}

const COMMANDS: Readonly<Record<string, Own>> = {
  hello,
  isMaster: hello,
  ismaster: hello,
  async saslStart(connection, exchange) {
    const asked = documentOf(exchange.command);
    return answered(exchange, await begin(connection, asked, asked["$db"]));
  },
  saslContinue: (connection, exchange) => answered(exchange, goOn(connection, documentOf(exchange.command))),
  logout: (connection, exchange) => {
    connection.user = null;
    return answered(exchange, OK);
  },
  whatsmyuri: patched(({ remote }, reply) => ({ ...reply, you: remote })),
  connectionStatus: patched(({ user }, reply) => {
    if (user === null) return reply;
    const authenticated = {
      authenticatedUsers: [{ user: user.name, db: user.database }],
      authenticatedUserRoles: user.roles,
    };
    return { ...reply, authInfo: { ...(reply["authInfo"] as Document), ...authenticated } };
  }),
  getCmdLineOpts: patched(({ service: { startedWith } }, reply) => ({ ...reply, ...startedWith })),
  replSetGetConfig: patched((connection, reply) => {
    const config = reply["config"] as Document;
    const members = memberNamed(config["members"], "host", connection);
    return { ...reply, config: { ...config, _id: connection.service.setName ?? (config["_id"] as string), members } };
  }),
  replSetGetStatus: patched((connection, reply) => ({
    ...reply,
    set: connection.service.setName ?? (reply["set"] as string),
    members: memberNamed(reply["members"], "name", connection),
  })),
  async killOp(connection, exchange) {
    const reply = connection.service.front.ask(exchange.command);
    if (isOk(reply)) connection.service.operations.kill(Number(documentOf(exchange.command)["op"]));
    return answered(exchange, reply);
  },
  async currentOp(connection, exchange) {
    const checked = connection.service.front.ask(exchange.command);
    if (!isOk(checked)) return answered(exchange, checked);
    const asked = documentOf(exchange.command);
    const filter = Object.entries(asked)
      .slice(1)
      .filter(([name]) => !NO_FILTER.has(name));
    const idle = isTrue(asked["$all"]);
    const cuts = asked["$truncateOps"] === undefined || isTrue(asked["$truncateOps"]);
    const documents = listed(connection, exchange, () => operations(connection, { idle, cuts }));
    const reply = piped(connection, documents, [{ $match: Object.fromEntries(filter) }]);
    if (!isOk(reply)) return answered(exchange, reply);
    return answered(exchange, { inprog: (reply["cursor"] as Document)["firstBatch"] as Document[], ...OK });
  },
  /** A pipeline that begins with `$currentOp`. */
  async aggregate(connection, exchange) {
    if (rawField(exchange.command, "aggregate") !== 1) return false;
    const [first] = elements(exchange.command, "pipeline");
    if (first === undefined || nameOf(first) !== "$currentOp") return false;
    const checked = connection.service.front.ask(exchange.command);
    if (!isOk(checked)) return answered(exchange, checked);
    const [stage, ...rest] = documentOf(exchange.command)["pipeline"] as Document[];
    const options = (stage as Document)["$currentOp"] as Document;
    const documents = listed(connection, exchange, () =>
      operations(connection, { idle: options["idleConnections"] === true, cuts: options["truncateOps"] === true }),
    );
    if (options["idleCursors"] === true) documents.push(...(await idleCursors(connection)));
    if (!namesCollections(rest)) return answered(exchange, piped(connection, documents, rest));
    // The front has no collections.
    const asked = { ...documentOf(exchange.command), pipeline: [given(documents), ...rest] };
    return answered(exchange, documentOf(await connection.run(encode(asked))));
  },
};

/** The cursors that wait for a client, which the engine knows. */
async function idleCursors(connection: Connection): Promise<readonly Document[]> {
  const command = encode({
    aggregate: 1,
    pipeline: [{ $currentOp: { idleCursors: true } }, { $match: { type: "idleCursor" } }],
    cursor: { batchSize: 1_000_000 },
    $db: "admin",
  });
  const reply = documentOf(await connection.run(command));
  if (!isOk(reply)) return [];
  const found = (reply["cursor"] as Document)["firstBatch"] as Document[];
  return found.map((each) => ({ ...each, host: connection.local }));
}

/** A number that a client sent; a document, whose fields may be called as an object's methods, is none. */
const numberOf = (value: unknown): number =>
  value instanceof Int32 || value instanceof Double || value instanceof Long ? Number(value) : Number.NaN;

const isTrue = (value: unknown): boolean => value === true || numberOf(value) > 0;

/** The commands that a client may send before it says who it is. */
const BEFORE_AUTHENTICATION: Readonly<Record<string, true>> = {
  buildInfo: true,
  buildinfo: true,
  connectionStatus: true,
  hello: true,
  isMaster: true,
  ismaster: true,
  logout: true,
  ping: true,
  saslContinue: true,
  saslStart: true,
  whatsmyuri: true,
};

/** Whether a client may send it before it says who it is. */
export const isOpen = (name: string): boolean => Object.hasOwn(BEFORE_AUTHENTICATION, name);

/** What answers a command here; null for one that is the engine's. */
export const ownCommand = (name: string): Own | null =>
  Object.hasOwn(COMMANDS, name) ? (COMMANDS[name] ?? null) : null;

/** What answers a client's first message in the older form; null for a command that does not open a connection. */
export const openingCommand = (name: string): typeof opening | null => (ownCommand(name) === hello ? opening : null);
