/** A deployment in one file, in Node over the real engine: opening, locks, damage, failing disks, archives, memory. */
import {
  existsSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
  fstatSync,
  readSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import type { EngineFile } from "../src/engine/bindings.ts";
import { loadEngine } from "../src/engine/load.ts";
import { Engine } from "../src/pkg/engine.ts";
import { repair } from "../src/pkg/data/repair.ts";
import { dump as dumpTo } from "../src/pkg/data/transfer.ts";
import { openDataFile, type DataFileOptions } from "../src/pkg/server/data-file.ts";
import type { ServedEngine } from "../src/pkg/server/served.ts";
import { keep, type KeptHere } from "../src/pkg/stored.ts";
import { gather } from "../src/state/data/dump-files.ts";
import { dump } from "../src/state/data/dumping.ts";
import { restore, type RestoreOutcome } from "../src/state/data/restoring.ts";

const wasm = fileURLToPath(new URL("../wasm/quire_bg.wasm", import.meta.url));
const PAGE = 16_384;

interface Running {
  run(command: Document): Promise<Document>;
}
const over = (command: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>): Running["run"] => {
  return async (document) => decode(await command(encode("$db" in document ? document : { ...document, $db: "shop" })));
};

/** Imports an archive as `serve --import` does. */
async function imported(
  command: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>,
  path: string,
): Promise<readonly RestoreOutcome[]> {
  const { parts } = await gather([{ file: new File([readFileSync(path)], "shop.archive"), path }], "test");
  return restore(
    { commandBytes: (bytes) => Promise.resolve(command(bytes)) },
    {
      targets: parts.map((part) => ({ part, database: part.database, collection: part.collection })),
      drop: false,
      stopAtFirst: false,
      signal: new AbortController().signal,
      progress: () => undefined,
    },
  );
}

describe.skipIf(!existsSync(wasm))("a data file", () => {
  const folder = mkdtempSync(join(tmpdir(), "quire-data-"));
  let count = 0;
  let path = "";
  beforeAll(async () => {
    await loadEngine(() => readFileSync(wasm));
  });
  beforeEach(() => {
    count += 1;
    path = join(folder, `${count}.quire`);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const open = async (options: DataFileOptions = {}): Promise<ServedEngine & Running> => {
    const engine = await openDataFile(path, options);
    return { ...engine, run: over(engine.command) };
  };
  const teas = async ({ run }: Running): Promise<readonly unknown[]> => {
    const { cursor } = await run({ find: "teas", sort: { _id: 1 } });
    return (cursor.firstBatch as Document[]).map(({ _id }) => _id as unknown);
  };
  const j = { writeConcern: { w: 1, j: true } };

  it("has everything after it was closed, and its lock is gone", async () => {
    const first = await open();
    for (let _id = 1; _id <= 3; _id += 1) await first.run({ insert: "teas", documents: [{ _id }] });
    expect(existsSync(`${path}.lock`)).toBe(true);
    await first.close();
    expect(existsSync(`${path}.lock`)).toBe(false);
    const second = await open();
    expect(await teas(second)).toEqual([1, 2, 3]);
    await second.close();
  });

  it("has transactions and cursors over pages that were not in memory when they began", async () => {
    const pad = "x".repeat(2000);
    const first = await open();
    await first.run({ insert: "teas", documents: Array.from({ length: 300 }, (_, _id) => ({ _id, pad })) });
    await first.close();
    const second = await open();
    const { id } = await second.run({ startSession: 1 });
    const of = { lsid: id as Document, txnNumber: 1n, autocommit: false };
    const begun = { find: "teas", filter: { _id: 7 }, ...of, startTransaction: true };
    expect(await second.run(begun)).toMatchObject({ cursor: { firstBatch: [{ _id: 7, pad }] } });
    const { cursor } = await second.run({ find: "teas", batchSize: 100, projection: { _id: 1 } });
    expect(await second.run({ delete: "teas", deletes: [{ q: { _id: 8 }, limit: 1 }], ...of })).toMatchObject({ n: 1 });
    expect(
      await second.run({ delete: "teas", deletes: [{ q: { _id: { $gte: 250 } }, limit: 0 }], ...j }),
    ).toMatchObject({ n: 50 });
    expect(await second.run({ commitTransaction: 1, ...of, ...j, $db: "admin" })).toMatchObject({ ok: 1 });
    // The cursor goes on over the state that it was opened on.
    const rest = await second.run({ getMore: cursor.id as unknown, collection: "teas", batchSize: 1000 });
    expect((rest["cursor"].nextBatch as Document[]).map(({ _id }) => _id as number)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 100),
    );
    await second.close();
    const third = await open();
    expect(await third.run({ count: "teas" })).toMatchObject({ n: 249 });
    expect(await third.run({ validate: "teas", full: true })).toMatchObject({ valid: true });
    await third.close();
  });

  it("is one writer's: the same file under another name too", async () => {
    const first = await open();
    const other = join(folder, "other-name.quire");
    symlinkSync(path, other);
    for (const name of [path, other])
      await expect(openDataFile(name)).rejects.toMatchObject({
        code: "DBPathInUse",
        message: expect.stringContaining(`in use by process ${process.pid} on ${hostname()}`) as unknown,
      });
    await first.close();
    await (await openDataFile(other)).close();
  });

  it("takes over the lock of a process that is gone, and of no other", async () => {
    const held = { token: "a-b", pid: process.pid, host: hostname(), boot: null, began: null };
    const lock = (holder: object): void => writeFileSync(`${path}.lock`, JSON.stringify({ ...held, ...holder }));
    for (const [holder, isGone] of [
      [{ pid: 2 ** 22 - 1 }, !existsSync(`/proc/${2 ** 22 - 1}`)],
      // The number was given to another process since.
      [{ began: "1" }, existsSync("/proc/self/stat")],
      [{ boot: "another" }, existsSync("/proc/sys/kernel/random/boot_id")],
      [{}, false],
      [{ host: "another", pid: 2 ** 22 - 1 }, false],
    ] as const) {
      lock(holder);
      const opening = openDataFile(path);
      if (isGone) await (await opening).close();
      else await expect(opening).rejects.toMatchObject({ code: "DBPathInUse" });
    }
    writeFileSync(`${path}.lock`, "");
    await expect(openDataFile(path)).rejects.toMatchObject({ code: "DBPathInUse" });
    // The right to take a dead holder's place is itself a lock, whose holder may have died.
    lock({ boot: "another" });
    writeFileSync(`${path}.lock.a-b`, JSON.stringify({ ...held, token: "c-d", boot: "another" }));
    await (await openDataFile(path)).close();
    expect([".lock", ".lock.a-b", ".lock.a-b.c-d"].filter((end) => existsSync(path + end))).toEqual([]);
  });

  it("names the file that is damaged, of another kind, or of a later format", async () => {
    writeFileSync(path, "dear diary");
    await expect(open()).rejects.toMatchObject({
      code: "DataCorruptionDetected",
      message: expect.stringContaining(`${path}: page 0 is corrupt: the file is none of this engine's`) as unknown,
    });
    expect(readFileSync(path, "utf8")).toBe("dear diary");
    path = join(folder, `${count}-later.quire`);
    const engine = await open();
    await engine.run({ insert: "teas", documents: [{ _id: 1 }], ...j });
    await engine.close();
    const descriptor = openSync(path, "r+");
    for (const slot of [0, 1]) writeSync(descriptor, Uint8Array.of(99), 0, 1, slot * PAGE + 8);
    closeSync(descriptor);
    await expect(open()).rejects.toMatchObject({ code: "UnsupportedFormat" });
  });

  it("tells of the page that is damaged or cut off when it is read, and serves the others", async () => {
    const first = await open();
    const pad = "x".repeat(3000);
    await first.run({ create: "notes" });
    await first.run({ insert: "notes", documents: [{ _id: 1 }], ...j });
    await first.run({ insert: "teas", documents: Array.from({ length: 200 }, (_, _id) => ({ _id, pad })), ...j });
    await first.close();
    const descriptor = openSync(path, "r+");
    writeSync(descriptor, new Uint8Array(PAGE), 0, PAGE, 21 * PAGE);
    closeSync(descriptor);
    const second = await open();
    expect(await second.run({ count: "notes", query: { _id: 1 } })).toMatchObject({ ok: 1, n: 1 });
    const reply = await second.run({ aggregate: "teas", pipeline: [{ $group: { _id: "$pad" } }], cursor: {} });
    expect(reply).toMatchObject({ ok: 0 });
    expect(reply["errmsg"]).toMatch(/page 20 is corrupt: it is not stored/);
    await second.close();
    // The catalog was written last, and so it lies at the end of what is no spare place.
    const bytes = readFileSync(path);
    let end = bytes.length;
    while (bytes[end - 1] === 0) end -= 1;
    truncateSync(path, end - 10 * PAGE);
    await expect(open()).rejects.toMatchObject({
      code: "DataCorruptionDetected",
      message: expect.stringMatching(/page \d+ is corrupt: it is not stored/) as unknown,
    });
  });

  it("is repaired into a new file, with all that can be read, and is not changed by that", async () => {
    const first = await open();
    const pad = "x".repeat(3000);
    await first.run({ create: "notes", validator: { n: { $gt: 0 } } });
    await first.run({ insert: "notes", documents: [1, 2, 3].map((n) => ({ _id: n, n })), ...j });
    await first.run({ createIndexes: "notes", indexes: [{ key: { n: 1 }, name: "by n", unique: true }] });
    await first.run({ insert: "teas", documents: Array.from({ length: 200 }, (_, _id) => ({ _id, pad })), ...j });
    await first.close();
    const whole = readFileSync(path);
    const damaged = path;
    const repaired = async (change: (bytes: Buffer) => void): Promise<{ code: number; told: string }> => {
      const bytes = Buffer.from(whole);
      change(bytes);
      writeFileSync(damaged, bytes);
      path = join(folder, `${count}-repaired-${Math.random()}.quire`);
      let told = "";
      const code = await repair({ from: damaged, to: path }, (text) => (told += text));
      expect(readFileSync(damaged).equals(bytes) && !existsSync(`${damaged}.lock`)).toBe(true);
      return { code, told };
    };
    const found = async (): Promise<{ teas: unknown; notes: unknown }> => {
      const second = await open();
      expect(await second.run({ validate: "teas" })).toMatchObject({ valid: true });
      expect(await second.run({ insert: "notes", documents: [{ _id: 9, n: 1 }] })).toMatchObject({
        writeErrors: [{ code: 11000 }],
      });
      expect(await second.run({ insert: "notes", documents: [{ _id: 9, n: -1 }] })).toMatchObject({
        writeErrors: [{ code: 121 }],
      });
      const [teas, notes] = [await second.run({ count: "teas" }), await second.run({ count: "notes" })];
      await second.close();
      return { teas: teas["n"], notes: notes["n"] };
    };
    expect(await repaired(() => undefined)).toMatchObject({ code: 0 });
    expect(await found()).toEqual({ teas: 200, notes: 3 });
    // A leaf.
    const leaf = await repaired((bytes) => bytes.fill(0, 21 * PAGE, 22 * PAGE));
    expect(leaf.code).toBe(1);
    expect(leaf.told).toMatch(/lost: shop\.teas: .*\d/);
    const { teas: fewer, notes } = await found();
    expect(notes).toBe(3);
    expect(Number(fewer)).toBeGreaterThan(180);
    expect(Number(fewer)).toBeLessThan(200);
    // Both copies of the header, so that nothing says where anything is.
    await expect(
      repaired((bytes) => bytes.fill(7, 0, 2 * PAGE)).then(async ({ code }) => [code, await found()]),
    ).resolves.toEqual([1, { teas: 200, notes: 3 }]);
    await expect(repair({ from: damaged, to: path }, () => undefined)).rejects.toThrow("is there already");
    // No data file at all.
    const nothing = await repaired((bytes) => bytes.fill(7));
    expect(nothing).toMatchObject({ code: 2, told: expect.stringContaining("no document could be read") as unknown });
    expect(existsSync(path)).toBe(false);
  });

  /** A file in memory whose next calls fail. */
  class Disk implements EngineFile {
    bytes = new Uint8Array(0);
    syncs = 0;
    full = false;
    /** It writes nothing in place, as file systems do that copy on write. */
    copies = false;
    failing = false;
    short = false;
    length(): number {
      return this.bytes.length;
    }
    read(at: number, bytes: Uint8Array): number {
      const part = this.bytes.subarray(at, at + bytes.length);
      bytes.set(part);
      return part.length;
    }
    write(at: number, given: Uint8Array): number {
      const bytes = this.short ? given.subarray(0, Math.ceil(given.length / 3)) : given;
      if (this.full && this.copies) throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
      if (at + bytes.length > this.bytes.length) {
        if (this.full) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
        const grown = new Uint8Array(at + bytes.length);
        grown.set(this.bytes);
        this.bytes = grown;
      }
      this.bytes.set(bytes, at);
      return bytes.length;
    }
    async sync(): Promise<void> {
      this.syncs += 1;
      if (this.failing) throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
    }
    truncate(length: number): void {
      this.bytes = this.bytes.slice(0, length);
    }
  }
  const keepOn = async (file: Disk): Promise<Running & Pick<KeptHere, "unsaved" | "close">> => {
    const kept = await keep("disk", { file });
    return { unsaved: kept.unsaved, close: kept.close, run: over((bytes) => kept.run(bytes)) };
  };

  it("writes one batch for all that waits for its journal at a time", async () => {
    const disk = new Disk();
    const kept = await keepOn(disk);
    await kept.run({ insert: "teas", documents: [{ _id: 0 }], ...j });
    const before = disk.syncs;
    const ids = Array.from({ length: 40 }, (_, index) => index + 1);
    await Promise.all(ids.map((_id) => kept.run({ insert: "teas", documents: [{ _id }], ...j })));
    // Two for a batch; the first may have begun before the others came.
    expect(disk.syncs - before).toBeLessThanOrEqual(4);
    await kept.close();
    const again = await keepOn(disk);
    expect(await again.run({ count: "teas" })).toMatchObject({ n: 41 });
    await again.close();
  });

  it("goes on with a disk that takes a part of each write", async () => {
    const disk = new Disk();
    disk.short = true;
    const kept = await keepOn(disk);
    expect(await kept.run({ insert: "teas", documents: [{ _id: 1 }], ...j })).toMatchObject({ ok: 1, n: 1 });
    await kept.close();
    const again = await keepOn(disk);
    expect(await teas(again)).toEqual([1]);
    await again.close();
  });

  it("refuses what a full disk has no room for, and takes what frees room", async () => {
    const disk = new Disk();
    const kept = await keepOn(disk);
    const pad = "x".repeat(100_000);
    const padded = (first: number, count: number): Document[] =>
      Array.from({ length: count }, (_, index) => ({ _id: first + index, pad }));
    await kept.run({ insert: "teas", documents: padded(1, 40), ...j });
    disk.full = true;
    const refused = await kept.run({ insert: "teas", documents: padded(100, 60), ...j });
    expect(refused).toMatchObject({ ok: 0, code: 14031, codeName: "OutOfDiskSpace" });
    expect(await kept.run({ count: "teas" })).toMatchObject({ n: 40 });
    const deleted = await kept.run({ delete: "teas", deletes: [{ q: { _id: { $gt: 1 } }, limit: 0 }], ...j });
    expect(deleted).toMatchObject({ ok: 1, n: 39 });
    expect(deleted["writeConcernError"]).toBe(undefined);
    expect(await kept.run({ insert: "teas", documents: padded(200, 10), ...j })).toMatchObject({ ok: 1, n: 10 });
    expect(await kept.unsaved()).toBe(null);
    await kept.close();
    const again = await keepOn(disk);
    expect(await again.run({ count: "teas" })).toMatchObject({ n: 11 });
    // The room that is kept for deleting is there for who opens the file on a full disk, too.
    expect(await again.run({ delete: "teas", deletes: [{ q: { _id: 1 }, limit: 1 }], ...j })).toMatchObject({ n: 1 });
    expect(await again.unsaved()).toBe(null);
    await again.close();
  });

  it("says what it could not store where a disk has no room even for places that the file has", async () => {
    const disk = new Disk();
    const kept = await keepOn(disk);
    await kept.run({ insert: "teas", documents: [{ _id: 1 }], ...j });
    disk.full = disk.copies = true;
    const refused = await kept.run({ insert: "teas", documents: [{ _id: 2 }], ...j });
    expect(refused["writeConcernError"]).toMatchObject({
      code: 64,
      errmsg: expect.stringContaining("there is no room for the data file") as unknown,
    });
    expect(await kept.run({ insert: "teas", documents: [{ _id: 3 }] })).not.toMatchObject({ n: 1 });
    expect(await kept.unsaved()).toContain("no room");
    disk.full = false;
    expect(await kept.run({ delete: "teas", deletes: [{ q: { _id: 2 }, limit: 1 }], ...j })).toMatchObject({ n: 1 });
    expect(await kept.run({ insert: "teas", documents: [{ _id: 4 }], ...j })).toMatchObject({ ok: 1, n: 1 });
    expect(await kept.unsaved()).toBe(null);
    await kept.close();
    const again = await keepOn(disk);
    expect(await teas(again)).toEqual([1, 4]);
    await again.close();
  });

  it("is read-only with a reason once syncs go on failing, and still has what was acknowledged", async () => {
    const disk = new Disk();
    const kept = await keepOn(disk);
    await kept.run({ insert: "teas", documents: [{ _id: 1 }], ...j });
    disk.failing = true;
    const refused = await kept.run({ insert: "teas", documents: [{ _id: 2 }], ...j });
    expect(refused["writeConcernError"]).toMatchObject({ errmsg: expect.stringContaining("EIO") as unknown });
    disk.failing = false;
    const late = await kept.run({ insert: "teas", documents: [{ _id: 3 }], ...j });
    expect(JSON.stringify(late)).toMatch(/read-only.*EIO/);
    expect(await teas(kept)).toEqual([1, 2]);
    expect(await kept.unsaved()).toContain("EIO");
    await kept.close();
    const again = await keepOn(disk);
    expect(await teas(again)).toContain(1);
    await again.close();
  });

  it("is read-only once another process wrote to it, and leaves the file as that one has it", async () => {
    const disk = new Disk();
    const ours = await keepOn(disk);
    await ours.run({ insert: "teas", documents: [{ _id: 1 }], ...j });
    const other = await keepOn(disk);
    await other.run({ insert: "teas", documents: [{ _id: 2 }], ...j });
    const refused = await ours.run({ insert: "teas", documents: [{ _id: 3 }], ...j });
    expect(refused["writeConcernError"]).toMatchObject({
      errmsg: expect.stringContaining("another process wrote to the data file") as unknown,
    });
    expect(await teas(ours)).toEqual([1, 3]);
    await ours.close();
    await other.close();
    const again = await keepOn(disk);
    expect(await teas(again)).toEqual([1, 2]);
    await again.close();
  });

  it("may be larger than memory", async () => {
    const kept = await open({ maxMemoryBytes: 16 << 20 });
    // 50 MB of documents through a heap of 16, and a command may read 32 more.
    const pad = "x".repeat(30_000);
    for (let first = 0; first < 1600; first += 100) {
      const documents = Array.from({ length: 100 }, (_, index) => ({ _id: first + index, pad }));
      expect(await kept.run({ insert: "teas", documents, ...j })).toMatchObject({ ok: 1, n: 100 });
    }
    let { cursor } = await kept.run({ find: "teas", projection: { _id: 1 }, batchSize: 50 });
    let seen = (cursor.firstBatch as Document[]).length;
    while (Number(cursor.id) !== 0) {
      const reply = await kept.run({ getMore: cursor.id as unknown, collection: "teas", batchSize: 50 });
      expect(reply).toMatchObject({ ok: 1 });
      ({ cursor } = reply);
      seen += (cursor.nextBatch as Document[]).length;
    }
    expect(seen).toBe(1600);
    // One command holds all pages that it looks at.
    const group = { aggregate: "teas", pipeline: [{ $group: { _id: { $strLenBytes: "$pad" } } }], cursor: {} };
    expect(await kept.run(group)).toMatchObject({ ok: 0, code: 146, codeName: "ExceededMemoryLimit" });
    expect(await kept.run({ count: "teas", query: { _id: { $lt: 9 } } })).toMatchObject({ ok: 1, n: 9 });
    await kept.close();
    const descriptor = openSync(path, "r");
    expect(fstatSync(descriptor).size).toBeGreaterThan(48 << 20);
    expect(readSync(descriptor, new Uint8Array(8), 0, 8, 0)).toBe(8);
    closeSync(descriptor);
  });

  it("opens what the playground exported, and exports what it opens", async () => {
    const page = await Engine.create();
    const onPage = over((bytes) => page.command(bytes));
    await onPage({ create: "teas", validator: { price: { $gt: 0 } } });
    await onPage({ createIndexes: "teas", indexes: [{ key: { price: 1 }, name: "by price", unique: true }] });
    await onPage({ insert: "teas", documents: [1, 2, 3].map((_id) => ({ _id, price: _id * 2 })) });
    await onPage({ create: "cheap", viewOn: "teas", pipeline: [{ $match: { price: { $lt: 4 } } }] });
    const commander = { commandBytes: (bytes: Uint8Array) => Promise.resolve(page.command(bytes)) };
    const exporting = { database: null, gzip: true, signal: new AbortController().signal, progress: () => undefined };
    const exported = join(folder, `${count}.archive.gz`);
    writeFileSync(exported, new Uint8Array(await ((await dump(commander, exporting)) as Blob).arrayBuffer()));

    const kept = await open();
    const outcomes = await imported(kept.command, exported);
    expect(outcomes.map(({ inserted, complete, problems }) => ({ inserted, complete, problems }))).toEqual([
      { inserted: 3, complete: true, problems: [] },
      { inserted: 0, complete: true, problems: [] },
    ]);
    const back = join(folder, `${count}-back.archive`);
    const place = { commandBytes: async (bytes: Uint8Array) => kept.command(bytes), close: () => kept.close() };
    await dumpTo(place, { where: { data: "" }, database: null, out: back, gzip: false }, () => undefined);
    await kept.close();

    const other = await Engine.create();
    const onOther = over((bytes) => other.command(bytes));
    await imported((bytes) => other.command(bytes), back);
    for (const command of [
      { find: "teas", sort: { _id: 1 } },
      { find: "cheap" },
      { listIndexes: "teas" },
      { listCollections: 1, filter: { name: "cheap" } },
    ]) {
      const { cursor } = await onPage(command);
      expect((await onOther(command))["cursor"]).toMatchObject({ firstBatch: cursor.firstBatch as unknown });
    }
    expect(await onOther({ insert: "teas", documents: [{ _id: 9, price: 2 }] })).toMatchObject({ n: 0 });
  });
});

it("is not opened where no file is: a folder, a device", async () => {
  await expect(openDataFile(tmpdir())).rejects.toThrow("it is a folder");
  await expect(openDataFile("/dev/null")).rejects.toThrow("it is no plain file");
  expect(existsSync("/dev/null.lock")).toBe(false);
});
