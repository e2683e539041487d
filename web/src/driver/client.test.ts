/** Opening, closing, and errors of writes that storage did not confirm, over a transport that is played. */
import type { Document } from "bson";
import { describe, expect, it } from "vitest";
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { SharedEngines } from "../pkg/shared.ts";
import { MongoClient, type MongoClientOptions } from "./client.ts";
import type { Transport } from "./connection.ts";
import { MongoServerError } from "./errors.ts";

interface Played {
  readonly client: MongoClient;
  /** The names of the commands that came. */
  readonly commands: string[];
  opened: number;
  closed: number;
}

/** A client whose engine answers every command with `answer` beside `ok: 1`. */
function play(
  answer: (command: Document) => Document,
  options: MongoClientOptions = {},
  open: () => void = () => undefined,
): Played {
  const played: { -readonly [Key in keyof Played]: Played[Key] } = {
    client: undefined as unknown as MongoClient,
    commands: [],
    opened: 0,
    closed: 0,
  };
  const transport: Transport = {
    async run(database, sent, codec) {
      const command = decode(encode({ ...sent, $db: database }, codec));
      played.commands.push(Object.keys(command)[0] as string);
      return decode(encode({ ok: 1, ...answer(command) }), codec);
    },
    async close() {
      played.closed += 1;
    },
  };
  played.client = new MongoClient(
    async () => {
      open();
      played.opened += 1;
      return transport;
    },
    "quire://shop",
    options,
  );
  return played;
}

const named = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "resolved",
    (error: Error) => error.name,
  );

describe("a client's life", () => {
  it("opens at the first use, refuses after close, and opens again by connect", async () => {
    const played = play(() => ({}));
    await played.client.db().command({ ping: 1 });
    expect(played.opened).toBe(1);
    const cursor = played.client.db().collection("teas").find();
    await played.client.close();
    expect(played.closed).toBe(1);
    await expect(played.client.db().command({ ping: 1 })).rejects.toThrow(
      "Client must be connected before running operations",
    );
    expect(await named(cursor.next())).toBe("MongoNotConnectedError");
    expect(played.opened).toBe(1);
    await played.client.connect();
    await played.client.db().command({ ping: 1 });
    expect(played.opened).toBe(2);
  });

  it("rejects connect and the first operation where it cannot be opened, and tries again later", async () => {
    let works = false;
    const played = play(
      () => ({}),
      {},
      () => {
        if (!works) throw new Error("format version 9 is not supported");
      },
    );
    await expect(played.client.connect()).rejects.toThrow(
      'the deployment "shop" cannot be opened: format version 9 is not supported',
    );
    expect(await named(played.client.db().command({ ping: 1 }))).toBe("MongoServerSelectionError");
    works = true;
    expect(await named(played.client.db().command({ ping: 1 }))).toBe("resolved");
    expect(await named(played.client.close())).toBe("resolved");
  });

  it("knows two storages", () => {
    expect(() => play(() => ({}), { storage: "disk" as "memory" })).toThrow('storage must be "indexeddb" or "memory"');
  });

  it("says what interrupted an operation: the close, or the way to the engine", async () => {
    let fail: (error: Error) => void = () => undefined;
    const client = new MongoClient(
      async () => ({
        run: () => new Promise((_, reject) => (fail = reject)),
        close: async () => fail(new Error("ended")),
      }),
      "quire://shop",
    );
    await client.connect();
    const first = named(client.db().command({ ping: 1 }));
    await new Promise((done) => setTimeout(done));
    fail(new Error("the worker is gone"));
    expect(await first).toBe("MongoNetworkError");
    const second = named(client.db().command({ ping: 1 }));
    await new Promise((done) => setTimeout(done));
    await client.close();
    expect(await second).toBe("MongoClientClosedError");
  });
});

describe("clients of one address", () => {
  it("share an engine until the last of them is closed", async () => {
    const engines = new SharedEngines<string | undefined>();
    const closed: number[] = [];
    let made = 0;
    const open = (settings?: string): Promise<Transport> =>
      engines.open(
        "shop",
        settings,
        async () => {
          made += 1;
          const number = made;
          return { run: () => ({ ok: 1 }), close: async () => void closed.push(number) };
        },
        (first) => {
          if (settings !== undefined && settings !== first) throw new Error("another clock");
        },
      );
    const [one, two] = await Promise.all([open("a"), open()]);
    await expect(open("b")).rejects.toThrow("another clock");
    expect(made).toBe(1);
    await one.close();
    await one.close();
    expect(closed).toEqual([]);
    await two.close();
    expect(closed).toEqual([1]);
    await open("b");
    expect(made).toBe(2);
  });
});

describe("a batch that fails", () => {
  const failing = async (
    answer: (command: Document) => Document,
    method: (client: MongoClient) => Promise<unknown>,
  ): Promise<unknown> => {
    const { client } = play(answer);
    return method(client).then(
      () => null,
      (error: unknown) => error,
    );
  };
  const insert = (client: MongoClient): Promise<unknown> =>
    client
      .db()
      .collection("teas")
      .insertMany([{ _id: 1 }, { _id: 2 }] as never);

  it("is a MongoServerError with the counts of what was done", async () => {
    const error = await failing(
      () => ({ n: 1, writeErrors: [{ index: 1, code: 11000, errmsg: "E11000 twice" }] }),
      insert,
    );
    expect(error).toBeInstanceOf(MongoServerError);
    expect(error).toMatchObject({
      name: "MongoBulkWriteError",
      code: 11000,
      message: "E11000 twice",
      insertedCount: 1,
      deletedCount: 0,
      insertedIds: { 0: 1 },
      writeErrors: [{ index: 1 }],
    });
  });

  it("is one too where its command is refused, as the Node driver has it", async () => {
    const refused = {
      ok: 0,
      code: 40415,
      codeName: "IDLUnknownField",
      errmsg: "BSON field 'insert.a' is an unknown field.",
    };
    for (const method of [
      insert,
      (client: MongoClient) =>
        client
          .db()
          .collection("teas")
          .bulkWrite([{ deleteOne: { filter: {} } }]),
    ]) {
      expect(await failing(() => refused, method)).toMatchObject({
        name: "MongoBulkWriteError",
        code: 40415,
        codeName: "IDLUnknownField",
        message: refused.errmsg,
        insertedCount: 0,
        writeErrors: [],
        err: undefined,
      });
    }
  });
});

const REFUSED = {
  writeConcernError: { code: 64, codeName: "WriteConcernFailed", errmsg: "storage has not confirmed it" },
};
/** The fields beside `ok` that the fake engine's reply to each command has. */
const REPLIES: Readonly<Record<string, Document>> = {
  insert: { n: 1 },
  update: { n: 1, nModified: 1 },
  delete: { n: 1 },
  bulkWrite: {
    nInserted: 1,
    nUpserted: 0,
    nMatched: 0,
    nModified: 0,
    nDeleted: 0,
    cursor: { firstBatch: [], id: 0, ns: "admin.$cmd.bulkWrite" },
  },
  aggregate: { cursor: { firstBatch: [], id: 0, ns: "test.teas" } },
  findAndModify: { value: null },
};

describe("a write that storage did not confirm", () => {
  const methods: Readonly<Record<string, (client: MongoClient) => Promise<unknown>>> = {
    insertOne: (client) => client.db().collection("teas").insertOne({}),
    insertMany: (client) => client.db().collection("teas").insertMany([{}, {}]),
    updateOne: (client) =>
      client
        .db()
        .collection("teas")
        .updateOne({}, { $set: { a: 1 } }),
    updateMany: (client) =>
      client
        .db()
        .collection("teas")
        .updateMany({}, { $set: { a: 1 } }),
    replaceOne: (client) => client.db().collection("teas").replaceOne({}, { a: 1 }),
    deleteOne: (client) => client.db().collection("teas").deleteOne({}),
    deleteMany: (client) => client.db().collection("teas").deleteMany({}),
    bulkWrite: (client) =>
      client
        .db()
        .collection("teas")
        .bulkWrite([{ insertOne: { document: {} } }, { deleteOne: { filter: {} } }]),
    clientBulkWrite: (client) => client.bulkWrite([{ namespace: "test.teas", name: "insertOne", document: {} }]),
    findOneAndUpdate: (client) =>
      client
        .db()
        .collection("teas")
        .findOneAndUpdate({}, { $set: { a: 1 } }),
    findOneAndReplace: (client) => client.db().collection("teas").findOneAndReplace({}, { a: 1 }),
    findOneAndDelete: (client) => client.db().collection("teas").findOneAndDelete({}),
    createIndex: (client) => client.db().collection("teas").createIndex({ a: 1 }),
    createIndexes: (client) =>
      client
        .db()
        .collection("teas")
        .createIndexes([{ key: { a: 1 } }]),
    dropIndex: (client) => client.db().collection("teas").dropIndex("a_1"),
    dropIndexes: (client) => client.db().collection("teas").dropIndexes(),
    drop: (client) => client.db().collection("teas").drop(),
    rename: (client) => client.db().collection("teas").rename("herbs"),
    out: (client) =>
      client
        .db()
        .collection("teas")
        .aggregate([{ $out: "herbs" }])
        .toArray(),
    createCollection: (client) => client.db().createCollection("teas"),
    dropCollection: (client) => client.db().dropCollection("teas"),
    renameCollection: (client) => client.db().renameCollection("teas", "herbs"),
    dropDatabase: (client) => client.db().dropDatabase(),
    command: (client) => client.db().command({ collMod: "teas" }),
    adminCommand: (client) => client.db().admin().command({ ping: 1 }),
  };
  for (const [name, method] of Object.entries(methods)) {
    it(`is an error of ${name}`, async () => {
      const { client } = play((command) => ({ ...REPLIES[Object.keys(command)[0] as string], ...REFUSED }));
      const error = (await method(client).then(
        () => null,
        (error: unknown) => error,
      )) as {
        name: string;
        code?: number;
        err?: { code: number };
        result?: Document;
        writeConcernErrors?: Document[];
      } | null;
      const isBulk = name === "insertMany" || name === "bulkWrite";
      expect(error?.name).toBe(
        isBulk
          ? "MongoBulkWriteError"
          : name === "clientBulkWrite"
            ? "MongoClientBulkWriteError"
            : "MongoWriteConcernError",
      );
      if (isBulk) expect([error?.code, error?.err?.code, error?.result?.["insertedCount"]]).toEqual([64, 64, 1]);
      else if (name === "clientBulkWrite") expect(error?.writeConcernErrors).toMatchObject([{ code: 64 }]);
      else expect([error?.code, error?.result?.["ok"]]).toEqual([64, 1]);
    });
  }
});
