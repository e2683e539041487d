/**
 * Every method's options: a misspelt or unsupported option is refused by name, and a supported one reaches the
 * command.
 */
import { Long, type Document } from "bson";
import { describe, expect, it, test } from "vitest";
import { recorded } from "../../test/recorded.ts";
import type { Collection } from "./collection.ts";
import type { Admin, Db } from "./database.ts";

type Use<Target> = (target: Target, options: Document) => unknown;

const collectionMethods: Readonly<Record<string, Use<Collection>>> = {
  aggregate: (c, o) => c.aggregate([], o).toArray(),
  bulkWrite: (c, o) => c.bulkWrite([{ deleteOne: { filter: {} } }], o),
  count: (c, o) => c.count({}, o),
  countDocuments: (c, o) => c.countDocuments({}, o),
  createIndex: (c, o) => c.createIndex("a", o),
  createIndexes: (c, o) => c.createIndexes([{ key: { a: 1 } }], o),
  deleteMany: (c, o) => c.deleteMany({}, o),
  deleteOne: (c, o) => c.deleteOne({}, o),
  distinct: (c, o) => c.distinct("a", {}, o),
  drop: (c, o) => c.drop(o),
  dropIndex: (c, o) => c.dropIndex("a_1", o),
  dropIndexes: (c, o) => c.dropIndexes(o),
  estimatedDocumentCount: (c, o) => c.estimatedDocumentCount(o),
  find: (c, o) => c.find({}, o).toArray(),
  findOne: (c, o) => c.findOne({}, o),
  findOneAndDelete: (c, o) => c.findOneAndDelete({}, o),
  findOneAndReplace: (c, o) => c.findOneAndReplace({}, {}, o),
  findOneAndUpdate: (c, o) => c.findOneAndUpdate({}, { $set: { a: 1 } }, o),
  indexExists: (c, o) => c.indexExists("a_1", o),
  indexInformation: (c, o) => c.indexInformation(o),
  indexes: (c, o) => c.indexes(o),
  initializeOrderedBulkOp: (c, o) => c.initializeOrderedBulkOp(o).insert({}).execute(),
  initializeUnorderedBulkOp: (c, o) => c.initializeUnorderedBulkOp().insert({}).execute(o),
  insertMany: (c, o) => c.insertMany([{}], o),
  insertOne: (c, o) => c.insertOne({}, o),
  isCapped: (c, o) => c.isCapped(o),
  listIndexes: (c, o) => c.listIndexes(o).toArray(),
  listSearchIndexes: (c, o) => c.listSearchIndexes("n", o).toArray(),
  options: (c, o) => c.options(o),
  rename: (c, o) => c.rename("d", o),
  replaceOne: (c, o) => c.replaceOne({}, {}, o),
  updateMany: (c, o) => c.updateMany({}, { $set: { a: 1 } }, o),
  updateOne: (c, o) => c.updateOne({}, { $set: { a: 1 } }, o),
  watch: (c, o) => c.watch([], o).tryNext(),
};
const databaseMethods: Readonly<Record<string, Use<Db>>> = {
  aggregate: (d, o) => d.aggregate([], o).toArray(),
  collection: (d, o) => d.collection("c", o),
  collections: (d, o) => d.collections(o),
  command: (d, o) => d.command({ ping: 1 }, o),
  createCollection: (d, o) => d.createCollection("c", o),
  createIndex: (d, o) => d.createIndex("c", "a", o),
  dropCollection: (d, o) => d.dropCollection("c", o),
  dropDatabase: (d, o) => d.dropDatabase(o),
  indexInformation: (d, o) => d.indexInformation("c", o),
  listCollections: (d, o) => d.listCollections({}, o).toArray(),
  profilingLevel: (d, o) => d.profilingLevel(o),
  removeUser: (d, o) => d.removeUser("ada", o),
  renameCollection: (d, o) => d.renameCollection("c", "d", o),
  runCursorCommand: (d, o) => d.runCursorCommand({ find: "c" }, o).toArray(),
  setProfilingLevel: (d, o) => d.setProfilingLevel("all", o),
  stats: (d, o) => d.stats(o),
  watch: (d, o) => d.watch([], o).tryNext(),
};
const adminMethods: Readonly<Record<string, Use<Admin>>> = {
  buildInfo: (a, o) => a.buildInfo(o),
  command: (a, o) => a.command({ ping: 1 }, o),
  listDatabases: (a, o) => a.listDatabases(o),
  ping: (a, o) => a.ping(o),
  removeUser: (a, o) => a.removeUser("ada", o),
  replSetGetStatus: (a, o) => a.replSetGetStatus(o),
  serverInfo: (a, o) => a.serverInfo(o),
  serverStatus: (a, o) => a.serverStatus(o),
  validateCollection: (a, o) => a.validateCollection("c", o),
};
/** Methods that take no options. */
const bare: Readonly<Record<string, readonly string[]>> = {
  collection: ["createSearchIndex", "createSearchIndexes", "dropSearchIndex", "updateSearchIndex"],
  db: ["admin"],
  admin: [],
  client: [
    "appendMetadata",
    "startSession",
    "withSession",
    "connect",
    "close",
    "on",
    "once",
    "off",
    "addListener",
    "removeListener",
    "removeAllListeners",
    "listenerCount",
  ],
};

function methodsOf(object: object): string[] {
  const described = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object)));
  return described
    .filter(([name, { value }]) => name !== "constructor" && typeof value === "function")
    .map(([name]) => name)
    .sort();
}

/** The error of a call, whether it is thrown at once or rejects later. */
async function refusal(call: () => unknown): Promise<Error> {
  try {
    await call();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was refused");
}

describe("a misspelt option is refused by every method", () => {
  const listed = { cursor: { id: 0, ns: "garden.$cmd.listCollections", firstBatch: [{ name: "c", options: {} }] } };
  const { client, commands } = recorded(
    {},
    { listCollections: listed, profile: { was: 0 }, validate: { valid: true } },
  );
  const targets: readonly (readonly [string, object, Readonly<Record<string, Use<never>>>])[] = [
    ["collection", client.db().collection("c"), collectionMethods],
    ["db", client.db(), databaseMethods],
    ["admin", client.db().admin(), adminMethods],
    [
      "client",
      client,
      {
        bulkWrite: (_, o) => client.bulkWrite([{ namespace: "d.c", name: "insertOne", document: {} }], o),
        db: (_, o) => client.db("d", o),
        watch: (_, o) => client.watch([], o).tryNext(),
      },
    ],
  ];
  for (const [kind, target, uses] of targets) {
    it(`${kind}: the list below is the class's own`, () =>
      expect(methodsOf(target)).toEqual([...Object.keys(uses), ...(bare[kind] as string[])].sort()));
    it.each(Object.keys(uses))(`${kind}.%s`, async (name) => {
      const sent = commands.length;
      for (const [options, words] of [
        [{ optoin: 1 }, "option optoin is not supported"],
        [{ optoin: 1, opiton: null }, "options optoin, opiton are not supported"],
      ] as const) {
        const error = await refusal(() => (uses[name] as Use<object>)(target, options));
        expect([error.name, error.message]).toEqual(["MongoInvalidArgumentError", words]);
      }
      for (const options of [
        { session: {} },
        { rawData: true },
        { raw: true },
        { promoteLongs: "no" },
        { readPreference: "nearst" },
        "text",
        [],
      ]) {
        expect((await refusal(() => (uses[name] as Use<object>)(target, options as Document))).name).toBe(
          "MongoInvalidArgumentError",
        );
      }
      expect(commands.length).toBe(sent);
      // An option whose value asks for nothing is taken, and is no field of the command.
      await (uses[name] as Use<object>)(target, {
        session: undefined,
        rawData: false,
        readPreference: { mode: "primary" },
        optoin: undefined,
      });
      for (const command of commands.slice(sent))
        expect(
          Object.keys(command).filter((field) => ["session", "rawData", "readPreference", "optoin"].includes(field)),
        ).toEqual([]);
    });
  }
});

it("a misspelt option of a session is refused", async () => {
  const { client } = recorded();
  const options: object = { causalConsistancy: true, snapshot: undefined };
  const words = "option causalConsistancy is not supported";
  for (const start of [
    () => client.startSession(options),
    () => client.withSession(options, () => Promise.resolve()),
  ]) {
    const error = await refusal(start);
    expect([error.name, error.message]).toEqual(["MongoInvalidArgumentError", words]);
  }
});

const ELSEWHERE = "MongoDB's own driver (npm install mongodb) takes it, with a server such as `npx quiredb serve`";

describe("each option of a client of the Node driver's versions 6 and 7", () => {
  // By the drivers' own tables, without the members that no program gives (`connectionType`, `dbName`, `srvPoller`).
  const [flag, count, text, object] = [true, 5, "x", {}];
  const without = (): undefined => undefined;
  const taken: Document = {
    ALPNProtocols: [text],
    SNICallback: without,
    allowPartialTrustChain: flag,
    appName: text,
    autoSelectFamily: flag,
    autoSelectFamilyAttemptTimeout: count,
    bsonRegExp: flag,
    ca: text,
    cert: text,
    checkServerIdentity: without,
    ciphers: text,
    compressors: ["zstd"],
    connectTimeoutMS: count,
    crl: text,
    directConnection: flag,
    driverInfo: { name: text },
    ecdhCurve: text,
    enableOverloadRetargeting: flag,
    enableTrace: flag,
    enableUtf8Validation: flag,
    family: count,
    forceServerObjectId: flag,
    heartbeatFrequencyMS: count,
    hints: count,
    ignoreUndefined: flag,
    journal: flag,
    keepAliveInitialDelay: count,
    key: text,
    loadBalanced: false,
    localAddress: text,
    localPort: count,
    localThresholdMS: count,
    lookup: without,
    maxAdaptiveRetries: count,
    maxConnecting: count,
    maxIdleTimeMS: count,
    maxPoolSize: count,
    maxStalenessSeconds: count,
    minDHSize: count,
    minHeartbeatFrequencyMS: count,
    minPoolSize: count,
    monitorCommands: flag,
    noDelay: flag,
    passphrase: text,
    pfx: text,
    pkFactory: { createPk: without },
    promoteBuffers: flag,
    promoteLongs: flag,
    promoteValues: flag,
    proxyHost: text,
    proxyPassword: text,
    proxyPort: count,
    proxyUsername: text,
    pskCallback: without,
    raw: false,
    readConcern: { level: "local" },
    readConcernLevel: "local",
    readPreference: "nearest",
    readPreferenceTags: [object],
    rejectUnauthorized: flag,
    replicaSet: "quire",
    requestCert: flag,
    requestOCSP: flag,
    retryReads: flag,
    retryWrites: flag,
    runtimeAdapters: object,
    secureContext: object,
    secureProtocol: text,
    serializeFunctions: flag,
    serverApi: "1",
    serverMonitoringMode: text,
    serverSelectionTimeoutMS: count,
    servername: text,
    session: object,
    socketTimeoutMS: count,
    srvAllowedHostsSuffix: text,
    srvHostValidator: without,
    srvMaxHosts: count,
    srvServiceName: text,
    ssl: flag,
    timeoutMS: count,
    tls: flag,
    tlsAllowInvalidCertificates: flag,
    tlsAllowInvalidHostnames: flag,
    tlsCAFile: text,
    tlsCRLFile: text,
    tlsCertificateKeyFile: text,
    tlsCertificateKeyFilePassword: text,
    tlsInsecure: flag,
    useBigInt64: flag,
    useNewUrlParser: flag,
    useUnifiedTopology: flag,
    w: "majority",
    waitQueueTimeoutMS: count,
    writeConcern: { w: 1 },
    wtimeoutMS: count,
    zlibCompressionLevel: count,
  };
  it("is taken, with its meaning or because it has none without a network", () => {
    for (const [name, value] of Object.entries(taken)) expect(() => recorded({ [name]: value }), name).not.toThrow();
    expect(() => recorded({ checkKeys: false, auth: null, autoEncryption: undefined })).not.toThrow();
  });
  it.each([
    ["auth", { username: "ada" }],
    ["authMechanism", "PLAIN"],
    ["authMechanismProperties", {}],
    ["authSource", "admin"],
    ["autoEncryption", {}],
    ["fieldsAsRaw", {}],
    ["loadBalanced", true],
    ["mongodbLogComponentSeverities", {}],
    ["mongodbLogMaxDocumentLength", 5],
    ["mongodbLogPath", "stdout"],
    ["replicaSet", "rs0"],
  ])("or is refused by its name, with the place where it is to be had: %s", (name, value) => {
    expect(() => recorded({ [name]: value })).toThrow(
      new RegExp(`^option ${name} is not supported: .*npx quiredb serve`),
    );
  });
});

test("the options of a client are refused too, by the driver's error and in small letters", async () => {
  for (const [options, words] of [
    [{ optoin: 1 }, "option optoin is not supported"],
    [{ maxPoolsize: 1, Optoin: 1, other: 2 }, "options optoin, other are not supported"],
    [{ monitorCommands: "yes" }, "option monitorCommands must be true or false"],
    [{ serverApi: { version: "1", strct: true } }, "option serverApi.strct is not supported"],
    [{ serverApi: { version: "1", strict: 1 } }, "option serverApi.strict must be true or false"],
    [{ serverApi: "2" }, 'Invalid server API version=2; must be in the following enum: ["1"]'],
    [{ serverApi: {} }, 'Invalid `serverApi` property; must specify a version from the following enum: ["1"]'],
    [{ replicaSet: "rs" }, `option replicaSet is not supported: here it can be "quire" alone; ${ELSEWHERE}`],
    [{ auth: { username: "ada" } }, `option auth is not supported: ${ELSEWHERE}`],
    [{ maxPoolSize: -1 }, "option maxPoolSize must be a whole number that is not negative"],
    [{ retryWrites: "yes" }, "option retryWrites must be true or false"],
  ] as const) {
    const error = await refusal(() => recorded(options));
    expect([error.name, error.message]).toEqual(["MongoParseError", words]);
  }
  for (const query of ["w=1&w=2", "optoin=1", "w=", "journal=maybe", "authSource=admin"])
    expect((await refusal(() => recorded({}, {}, `quire://shop/garden?${query}`))).name).toMatch(
      /MongoParseError|MongoInvalidArgumentError/,
    );
  for (const options of [
    { promoteLongs: false, useBigInt64: true },
    { readConcern: {} },
    { w: -1 },
    { writeConcern: { x: 1 } },
    { pkFactory: {} },
    { storage: "disk" },
    { maxMemoryBytes: 1000 },
    { maxMemoryBytes: 4e9 },
  ]) {
    expect((await refusal(() => recorded(options))).name).toBe("MongoInvalidArgumentError");
  }
  // Connections that there are not.
  expect(
    recorded({
      useNewUrlParser: true,
      useUnifiedTopology: true,
      autoSelectFamily: true,
      family: 4,
      srvMaxHosts: 2,
      maxPoolSize: 5,
      appName: "shop",
      retryReads: true,
      directConnection: true,
      tls: false,
      SERVERSELECTIONTIMEOUTMS: 5,
    }).client.db().databaseName,
  ).toBe("garden");
});

test("an address of a server is explained, and no message repeats a password", async () => {
  for (const [address, words] of [
    ["mongodb://ada:secret@db.example.com:27017/shop?authSource=admin", "write quire://name/shop,"],
    ["mongodb+srv://ada:secret@cluster.example.com", "write quire://name,"],
    ["http://ada:secret@example.com/", "quire://name or quire://name/database"],
    // Signs that an address should write with `%` do not show what stands behind them.
    ["mongodb://ada:p/secret@db.example.com/shop", "write quire://name/shop,"],
    ["mongodb://ada:p@secret@db.example.com/shop", "write quire://name/shop,"],
    ["mongodb://ada:p?secret@db.example.com", "write quire://name,"],
    ["http://ada:p@secret@example.com/", "quire://name or quire://name/database"],
    ["http://ada:p/secret@example.com/", "quire://name or quire://name/database"],
    ["quire:/shop", "quire://name or quire://name/database"],
    ["quire://shop/%E0%A4", "is not written as UTF-8"],
    [5 as never, "an address is a text"],
  ] as const) {
    const error = await refusal(() => recorded({}, {}, address));
    expect([error.name, error.message.includes(words), error.message.includes("secret")], address).toEqual([
      "MongoParseError",
      true,
      false,
    ]);
  }
});

test("every command of a client with a server API asks for it", async () => {
  const { client, commands } = recorded({ serverApi: { version: "1", strict: true, deprecationErrors: false } });
  const api = { apiVersion: "1", apiStrict: true, apiDeprecationErrors: false };
  await client.db().collection("c").insertOne({});
  await client.db().command({ ping: 1 });
  await client.db().collection("c").find().toArray();
  for (const command of commands) expect(command).toMatchObject(api);
  expect(commands.length).toBe(3);
  const short = recorded({ serverApi: "1" });
  await short.client.db().command({ ping: 1 });
  expect(short.last()).toEqual({ ping: 1, apiVersion: "1" });
});

test("concerns are inherited from client, address, database and collection, the nearest as a whole", async () => {
  const { client, last } = recorded(
    { readConcernLevel: "majority" },
    {},
    "quire://shop/garden?w=majority&wtimeoutMS=70&JOURNAL=true",
  );
  const all = { w: "majority", wtimeout: 70, j: true };
  expect([client.writeConcern, client.readConcern, client.db().writeConcern]).toEqual([
    all,
    { level: "majority" },
    all,
  ]);
  const c = client.db().collection("c");
  await c.insertOne({ _id: 1 });
  expect(last()).toEqual({ insert: "c", documents: [{ _id: 1 }], writeConcern: all });
  await c.deleteOne({}, { writeConcern: { w: 1 } });
  expect(last()["writeConcern"]).toEqual({ w: 1 });
  await client.db("d", { w: 1, journal: false }).collection("c").drop();
  expect(last()).toEqual({ drop: "c", writeConcern: { w: 1, j: false } });
  await client
    .db("d", { w: 1 })
    .collection("c", { writeConcern: { j: true } })
    .updateMany({}, { $set: { a: 1 } });
  expect(last()["writeConcern"]).toEqual({ j: true });
  const reads = ["find", "countDocuments", "distinct", "estimatedDocumentCount", "aggregate"];
  for (const name of reads) {
    await collectionMethods[name]?.(c, {});
    expect([name, last()["readConcern"], last()["writeConcern"]]).toEqual([name, { level: "majority" }, undefined]);
    await collectionMethods[name]?.(client.db("d", { readConcern: "local" }).collection("c"), {});
    expect(last()["readConcern"]).toEqual({ level: "local" });
  }
  await c.aggregate([{ $match: {} }], { out: "d" }).toArray();
  expect(last()).toEqual({
    aggregate: "c",
    pipeline: [{ $match: {} }, { $out: "d" }],
    writeConcern: all,
    readConcern: { level: "majority" },
    cursor: {},
  });
  for (const name of ["createIndex", "dropIndex", "rename", "findOneAndDelete", "bulkWrite", "insertMany"]) {
    await collectionMethods[name]?.(c, {});
    expect([name, last()["writeConcern"]]).toEqual([name, all]);
  }
  // A command that the caller words is sent as it is.
  await client.db().command({ ping: 1 });
  expect(last()).toEqual({ ping: 1 });
});

test("options become fields of the command, of its statement, or of its index", async () => {
  const { client, last } = recorded();
  const c = client.db().collection("c");
  await c.updateOne(
    {},
    { $set: { a: 1 } },
    {
      upsert: true,
      hint: "a_1",
      sort: ["a", "desc"],
      let: { v: 1 },
      comment: "why",
      maxTimeMS: 5,
      bypassDocumentValidation: true,
    },
  );
  expect(last()).toEqual({
    update: "c",
    updates: [{ q: {}, u: { $set: { a: 1 } }, sort: { a: -1 }, upsert: true, hint: "a_1" }],
    let: { v: 1 },
    comment: "why",
    maxTimeMS: 5,
    bypassDocumentValidation: true,
  });
  await c.createIndex("a", { unique: true, name: "n", version: 2, commitQuorum: 1, maxTimeMS: 5 });
  expect(last()).toEqual({
    createIndexes: "c",
    indexes: [{ key: { a: 1 }, name: "n", v: 2, unique: true }],
    commitQuorum: 1,
    maxTimeMS: 5,
  });
  await c
    .find(
      {},
      {
        sort: { a: "asc" },
        limit: 5,
        batchSize: 2,
        timeout: false,
        projection: ["a", "b"],
        collation: { locale: "en" },
      },
    )
    .limit(3)
    .skip(1)
    .toArray();
  expect(last()).toEqual({
    find: "c",
    filter: {},
    sort: { a: 1 },
    noCursorTimeout: true,
    limit: 3,
    projection: { a: 1, b: 1 },
    collation: { locale: "en" },
    skip: 1,
    batchSize: 2,
  });
  await c.findOneAndUpdate(
    {},
    { $set: { a: 1 } },
    { returnDocument: "after", projection: { a: 1 }, sort: "a", upsert: true },
  );
  expect(last()).toEqual({
    findAndModify: "c",
    query: {},
    update: { $set: { a: 1 } },
    sort: { a: 1 },
    new: true,
    fields: { a: 1 },
    upsert: true,
  });
  await c.countDocuments({ a: 1 }, { skip: 1, limit: 2, hint: "a_1" });
  expect(last()).toEqual({
    aggregate: "c",
    pipeline: [{ $match: { a: 1 } }, { $skip: 1 }, { $limit: 2 }, { $group: { _id: 1, n: { $sum: 1 } } }],
    cursor: {},
    hint: "a_1",
  });
  await c.rename("d", { dropTarget: true });
  expect(last()).toEqual({ renameCollection: "garden.c", to: "garden.d", dropTarget: true });
  await client
    .db()
    .createCollection("log", { capped: true, size: 4096, writeConcern: { j: true }, ignoreUndefined: true });
  expect(last()).toEqual({ create: "log", capped: true, size: 4096, writeConcern: { j: true } });
  expect(await c.updateOne({}, { $set: { a: 1 } }, { explain: "executionStats" })).toMatchObject({ ok: 1 });
  expect(last()).toEqual({
    explain: { update: "c", updates: [{ q: {}, u: { $set: { a: 1 } } }] },
    verbosity: "executionStats",
  });
  expect(await c.find({}, { explain: true }).toArray()).toMatchObject([{ ok: 1 }]);
  expect(last()).toEqual({ explain: { find: "c", filter: {} }, verbosity: "allPlansExecution" });
});

test("how values are written and read is settled per client, database, collection and operation", async () => {
  const reply = {
    value: { n: Long.fromNumber(5), big: Long.fromString("9007199254740993"), double: 1.5, pattern: /a\/b/i },
  };
  const { client, last } = recorded({ ignoreUndefined: true, serializeFunctions: false }, { findAndModify: reply });
  const c = client.db().collection("c");
  const made = () => 1;
  await c.insertOne({ _id: 1, gone: undefined, made });
  expect(last()["documents"]).toEqual([{ _id: 1 }]);
  await c.insertOne({ _id: 1, gone: undefined, made }, { ignoreUndefined: false, serializeFunctions: true });
  expect(last()["documents"]).toMatchObject([{ _id: 1, gone: null, made: { code: String(made) } }]);
  // Left out, this filter would delete everything.
  const plain = recorded();
  await plain.client.db().collection("c").deleteMany({ $where: made });
  expect(plain.last()["deletes"]).toMatchObject([{ q: { $where: { code: String(made) } } }]);
  const value = (options: Document) => c.findOneAndDelete({}, options);
  expect(await value({})).toEqual({ n: 5, big: Long.fromString("9007199254740993"), double: 1.5, pattern: /a\/b/i });
  expect(await value({ promoteLongs: false })).toMatchObject({ n: Long.fromNumber(5), double: 1.5 });
  expect(await value({ useBigInt64: true })).toMatchObject({ n: 5n, big: 9007199254740993n, double: 1.5 });
  expect(await value({ promoteValues: false })).toMatchObject({ n: Long.fromNumber(5), double: { value: 1.5 } });
  expect(await value({ bsonRegExp: true })).toMatchObject({ pattern: { pattern: "a\\/b", options: "i" } });
  let next = 6;
  const forced = client.db("d", { pkFactory: { createPk: () => ++next } });
  expect((await forced.collection("c").insertOne({})).insertedId).toBe(7);
  expect((await forced.collection("c", { forceServerObjectId: true }).insertOne({ a: 1 })).insertedId).toBeUndefined();
  expect(last()["documents"]).toEqual([{ a: 1 }]);
});

test("what asks for no acknowledgement is told as not acknowledged, whatever the reply says", async () => {
  const failed = { ok: 0, code: 11000, errmsg: "never seen" };
  const { client, last } = recorded(
    { w: 0 },
    { insert: failed, update: failed, delete: failed, findAndModify: failed, bulkWrite: failed, createIndexes: failed },
  );
  const c = client.db().collection("c");
  expect(await c.insertOne({ _id: 1 })).toEqual({ acknowledged: false, insertedId: 1 });
  expect(last()["writeConcern"]).toEqual({ w: 0 });
  expect(await c.insertMany([{ _id: 1 }, { _id: 2 }])).toEqual({
    acknowledged: false,
    insertedCount: 0,
    insertedIds: { 0: 1, 1: 2 },
  });
  expect(await c.updateOne({}, { $set: { a: 1 } })).toEqual({
    acknowledged: false,
    matchedCount: undefined,
    modifiedCount: undefined,
    upsertedCount: 0,
    upsertedId: null,
  });
  expect(await c.deleteMany({})).toEqual({ acknowledged: false, deletedCount: undefined });
  expect(await c.findOneAndDelete({})).toBeNull();
  expect(await c.createIndex("a")).toBe("a_1");
  expect(await c.bulkWrite([{ insertOne: { document: { _id: 1 } } }, { deleteOne: { filter: {} } }])).toMatchObject({
    acknowledged: false,
    insertedCount: 0,
    deletedCount: 0,
  });
  const models = [{ namespace: "d.c", name: "insertOne", document: { _id: 1 } }] as const;
  expect(await client.bulkWrite(models, { ordered: false })).toMatchObject({ acknowledged: false, insertedCount: 0 });
  expect((await refusal(() => client.bulkWrite(models))).message).toBe(
    "Cannot request unacknowledged write concern and ordered writes",
  );
  const told = recorded({}, { insert: failed }).client.db().collection("c");
  expect((await refusal(() => told.insertOne({}))).name).toBe("MongoServerError");
});

test("timeoutMS ends an operation: the engine is told, and what it does not answer is not waited for", async () => {
  let held = false;
  const { client, last } = recorded(
    { timeoutMS: 60_000 },
    {
      distinct: { ok: 0, code: 50, errmsg: "operation exceeded time limit" },
      find: { cursor: { id: 7, ns: "garden.c", firstBatch: [{ _id: 1 }] } },
      getMore: { cursor: { id: 7, ns: "garden.c", nextBatch: [{ _id: 2 }] } },
    },
    "quire://shop/garden",
    () => held,
  );
  const c = client.db().collection("c");
  await c.insertOne({ _id: 1 });
  const { maxTimeMS } = last();
  expect(maxTimeMS).toBeGreaterThan(1000);
  expect(maxTimeMS).toBeLessThanOrEqual(60_000);
  await c.insertOne({ _id: 1 }, { maxTimeMS: 5 });
  expect(last()["maxTimeMS"]).toBe(5);
  await c.insertOne({ _id: 1 }, { timeoutMS: 0 });
  expect(last()["maxTimeMS"]).toBeUndefined();
  expect(await refusal(() => c.distinct("a"))).toMatchObject({
    name: "MongoOperationTimeoutError",
    message: "Server reported a timeout error",
    cause: { code: 50 },
  });
  const cursor = c.find();
  await cursor.next();
  await cursor.next();
  expect([Object.keys(last())[0], last()["maxTimeMS"]]).toEqual(["getMore", undefined]);
  expect((await refusal(() => c.findOne({}, { timeoutMS: -1 }))).message).toBe(
    "option timeoutMS must be a number of milliseconds",
  );

  // A cursor has the time for all that it gives; an open one waits no longer than that.
  const short = c.find({}, { timeoutMS: 40 });
  await short.next();
  held = true;
  const calls = await Promise.allSettled([c.insertOne({ _id: 2 }, { timeoutMS: 20 }), short.next()]);
  expect(calls).toMatchObject([
    { reason: { name: "MongoOperationTimeoutError" } },
    { reason: { name: "MongoOperationTimeoutError" } },
  ]);
});
