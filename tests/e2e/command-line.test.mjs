/**
 * `npx quiredb run`, `dump`, `restore`, `export` and `import`: scripts in memory and over a deployment, files out and in.
 *
 * MongoDB's driver is not there: in its place stands a module of its name that has the package's own client, whose data
 * lie in the thread or process that opened it. Other tests try the driver itself.
 */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../../pkg/dist/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "quire-command-line-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program in the folder; gives its exit code and what it wrote. */
const quiredb = (...words) =>
  new Promise((resolve) => {
    execFile(process.execPath, [`${dist}cli.js`, ...words], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
const put = (name, text) => writeFileSync(join(folder, name), text);

test("run: a script in memory prints as it goes, and then its last value", async () => {
  put("good.js", "print(db.getName());\ndb.teas.insertMany([{ _id: 1 }, { _id: 2 }]);\ndb.teas.find({ _id: 2 });\n");
  assert.deepEqual(await quiredb("run", "good.js", "--db", "garden"), {
    code: 0,
    stdout: "garden\n[ { _id: 2 } ]\n",
    stderr: "",
  });
  put("bad.js", 'print("before");\ndb.teas.insertOne({ _id: 1 });\n  db.teas.insertOne({ _id: 1 });\n');
  const bad = await quiredb("run", "bad.js");
  assert.deepEqual([bad.code, bad.stdout], [1, "before\n"]);
  assert.match(bad.stderr, /^bad\.js:3:\d+: MongoServerError.*E11000 duplicate key/);
});

test("output that nobody reads ends no verb, and is told by the exit code alone", async () => {
  put("long.js", 'for (let n = 0; n < 20000; n++) print("a line that nobody reads", n);\n');
  const child = spawn(process.execPath, [`${dist}cli.js`, "run", "long.js"], { cwd: folder });
  child.stdout.once("data", () => child.stdout.destroy());
  const said = text(child.stderr);
  const [code] = await once(child, "close");
  assert.deepEqual([code, await said], [1, ""]);
});

test("words that say no deed are told with the verb's usage, and exit with 2", async () => {
  put("notes.bin", "tea, sage and mint: ".repeat(20));
  const mistakes = [
    [["run"], /^quiredb run: a script is missing/],
    [["run", "a.js", "b.js"], /one script is run at a time, and b\.js is a second/],
    [["run", "a.js", "--url", "x"], /^quiredb run: Unknown option '--url'/],
    [["run", "absent.js"], /^quiredb: .*ENOENT.*absent\.js/],
    [["dump"], /^quiredb dump: --uri or --data says where the data are/],
    [["dump", "--uri", "mongodb://h", "--data", "x"], /--uri and --data are two places, and one is asked for/],
    [["dump", "--data", "absent/shop.quire"], /^quiredb: absent\/shop\.quire: /],
    [["dump", "--data", "absent.quire"], /^quiredb: absent\.quire: there is no such file/],
    [["export", "teas", "--data", "absent.quire"], /^quiredb: absent\.quire: there is no such file/],
    [["restore", "x", "--data", ""], /--data needs a value/],
    [["import", "-", "--data", "x.quire"], /--collection says where the standard input goes/],
    [["restore", "notes.bin", "--data", "x.quire"], /notes\.bin is no archive, and no file of BSON or JSON/],
    [
      ["export", "teas", "--uri", "mongodb://h", "--format", "xml"],
      /--format is one of json, ndjson, csv, bson, and not xml/,
    ],
    [["export", "teas", "--uri", "mongodb://h", "--query", "{"], /--query is no Extended JSON/],
    [["import", "--uri", "mongodb://h"], /^quiredb import: a file is missing/],
    [["pusch", "mongodb://h"], /^quiredb: pusch is nothing that it can do: is push meant\?/],
    [["push"], /^quiredb push: the address is missing, as mongodb:\/\/HOST:PORT\//],
    [["push", "mongodb://h"], /^quiredb push: --data FILE or an archive says what is pushed/],
    [["push", "localhost:27017", "--data", "x"], /localhost:27017 is no address of MongoDB's/],
    [["push", "shop.quire", "mongodb://h"], /the address comes first \(mongodb:\/\/…\), and shop\.quire behind it/],
    [["push", "mongodb://h", "shop.quire"], /a file of `quiredb serve` is told by --data: --data shop\.quire/],
    [["push", "mongodb://h", "mongodb://i"], /two addresses: pull the one into a file/],
    [["push", "mongodb://h", "x.archive", "--data", "y"], /--data and x\.archive are two places/],
    [["push", "mongodb://h/", "--db", "local", "--data", "x"], /local is a server's own database/],
    [["push", "mongodb://h/", "--data", "x", "--dryrun"], /Unknown option '--dryrun': is --dry-run meant\?/],
    [["push", "mongodb://h/", "--data", "x", "--shard-key", "orders"], /--shard-key is DATABASE\.COLLECTION=/],
    [["push", "mongodb://h/", "--data", "absent.quire"], /^quiredb: absent\.quire: there is no such file/],
    [["push", "mongodb://h/", "absent.archive"], /^quiredb: absent\.archive: there is no such file/],
    [["push", "mongodb://h/", "notes.bin"], /^quiredb: notes\.bin is no archive/],
    [["pull", "mongodb://h"], /^quiredb pull: --data FILE or --out ARCHIVE says where the data go/],
    [["pull", "mongodb://h", "x.quire"], /x\.quire is a word too many: --data FILE or --out ARCHIVE/],
    [["pull", "mongodb://h", "--out", "x", "--follow"], /--follow needs --data: an archive is done once it is written/],
    [["pull", "mongodb://h", "--data", "new.quire"], /needs MongoDB's own driver: npm install mongodb/],
    [["restore", "--uri", "mongodb://h"], /^quiredb restore: an archive or a folder is missing/],
    [
      ["dump", "--uri", "mongodb://h"],
      /^quiredb: a mongodb:\/\/ address needs MongoDB's own driver: npm install mongodb/,
    ],
  ];
  const tried = async ([words, message]) => {
    const { code, stdout, stderr } = await quiredb(...words);
    assert.deepEqual([words, code, stdout], [words, 2, ""]);
    assert.match(stderr, message);
  };
  for (let from = 0; from < mistakes.length; from += 4) await Promise.all(mistakes.slice(from, from + 4).map(tried));
  for (const verb of ["run", "dump", "restore", "export", "import", "push", "pull"]) {
    const { code, stdout } = await quiredb(verb, "--help");
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^quiredb ${verb} `));
  }
});

test("over a file: what one program wrote the next one finds", async () => {
  const data = ["--data", "shop.quire"];
  put("write.js", 'db.teas.insertMany([{ _id: 1, n: "mint" }, { _id: 2, n: "sage" }]); db.teas.createIndex({ n: 1 });');
  assert.deepEqual(await quiredb("run", "write.js", ...data, "--db", "garden"), {
    code: 0,
    stdout: "n_1\n",
    stderr: "",
  });
  put("read.js", 'print(db.getSiblingDB("garden").teas.countDocuments());\nthrow new Error("told");');
  const read = await quiredb("run", "read.js", ...data);
  assert.deepEqual([read.code, read.stdout], [1, "2\n"]);
  assert.match(read.stderr, /^read\.js:2:\d+: Error: told/);
  assert.equal(
    (await quiredb("export", "teas", ...data, "--db", "garden", "--query", '{"n":"sage"}')).stdout,
    '{"_id":2,"n":"sage"}\n',
  );
  assert.equal((await quiredb("dump", ...data, "--out", "shop.archive")).code, 0);
  const { code, stderr } = await quiredb("restore", "shop.archive", "--data", "copy.quire");
  assert.deepEqual([code, stderr], [0, "garden.teas: 2 documents, 1 index\n"]);
  // Who reads lets no document expire: the file stays as it is.
  put(
    "old.js",
    'db.t.insertOne({ _id: 1, at: ISODate("2020-01-01") }); db.t.createIndex({ at: 1 }, { expireAfterSeconds: 1 });',
  );
  await quiredb("run", "old.js", "--data", "old.quire");
  const before = readFileSync(join(folder, "old.quire"));
  assert.match((await quiredb("export", "t", "--data", "old.quire")).stdout, /^{"_id":1,/);
  assert.ok(readFileSync(join(folder, "old.quire")).equals(before));
  // One program's output as the other's input.
  const dump = spawn(process.execPath, [`${dist}cli.js`, "dump", ...data, "--out", "-"], { cwd: folder });
  const into = [`${dist}cli.js`, "restore", "-", "--data", "piped.quire"];
  const taken = spawn(process.execPath, into, { cwd: folder });
  dump.stdout.pipe(taken.stdin);
  const told = text(taken.stderr);
  const [ended] = await once(taken, "close");
  assert.deepEqual([ended, await told], [0, "garden.teas: 2 documents, 1 index\n"]);
});

test("over a deployment: a script there, and its data as files and back", async () => {
  const driver = join(folder, "node_modules/mongodb");
  mkdirSync(driver, { recursive: true });
  writeFileSync(join(driver, "package.json"), JSON.stringify({ type: "module", main: "index.js" }));
  // Each client begins with the archive in the file that the address names, and writes it there at its end.
  writeFileSync(
    join(driver, "index.js"),
    `import { BSON, MongoClient as Own } from ${JSON.stringify(`${dist}index.js`)};
export { BSON };
export class MongoClient {
  #own = new Own("quire://far", { promoteValues: false, bsonRegExp: true });
  constructor(uri) { if (uri.includes("nowhere")) throw new Error("no such host"); }
  async connect() {
    await this.#own.connect();
    await this.#own.db("garden").collection("teas").insertMany([
      { _id: 1, n: "mint", at: new Date(5), whole: new BSON.Double(2) },
      { _id: 2, n: "sage, dried", price: BSON.Decimal128.fromString("1.50") },
    ]);
    await this.#own.db("garden").collection("teas").createIndex({ n: 1 }, { unique: true });
  }
  db(name) {
    const db = this.#own.db(name);
    return { command: (command, { promoteValues, bsonRegExp, session }) => db.command(command, { promoteValues, bsonRegExp, session }) };
  }
  startSession() { return this.#own.startSession(); }
  close() { return this.#own.close(); }
}
`,
  );
  const uri = ["--uri", "mongodb://ada:secret@far/garden"];
  put(
    "far.js",
    `print(db.getName(), db.teas.countDocuments());
try { db.teas.insertOne({ _id: 1 }) } catch (error) { print(error.name, error.code) }
for (let n = 0; n < 50; n++) db.many.insertOne({ _id: n });
print(db.many.find().batchSize(7).toArray().length);
db.teas.findOne({ _id: 2 });`,
  );
  assert.deepEqual(await quiredb("run", "far.js", ...uri), {
    code: 0,
    stdout: `garden 2\nMongoServerError 11000\n50\n{ _id: 2, n: 'sage, dried', price: Decimal128('1.50') }\n`,
    stderr: "",
  });
  const { code, stderr } = await quiredb("run", "far.js", "--uri", "mongodb://ada:secret@nowhere/garden");
  assert.equal(code, 2);
  assert.match(stderr, /^quiredb: mongodb:\/\/\*\*\*@nowhere\/garden cannot be reached: no such host/);

  assert.equal(
    (await quiredb("export", "teas", ...uri, "--canonical")).stdout.split("\n")[0],
    '{"_id":{"$numberInt":"1"},"n":"mint","at":{"$date":{"$numberLong":"5"}},"whole":{"$numberDouble":"2.0"}}',
  );
  assert.equal(
    (await quiredb("export", "teas", ...uri, "--format", "csv", "--query", '{"_id":2}')).stdout,
    '_id,n,price\n2,"sage, dried",1.50\n',
  );

  const dumped = await quiredb("dump", ...uri, "--out", "far.archive.gz", "--gzip");
  assert.deepEqual([dumped.code, dumped.stderr], [0, "2 documents of 1 collection: far.archive.gz\n"]);
  assert.deepEqual([...readFileSync(join(folder, "far.archive.gz")).subarray(0, 2)], [0x1f, 0x8b]);
  const restored = await quiredb("restore", "far.archive.gz", ...uri, "--db", "copy");
  assert.deepEqual([restored.code, restored.stderr], [0, "copy.teas: 2 documents, 1 index\n"]);
  const again = await quiredb("restore", "far.archive.gz", ...uri);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /^garden\.teas: 0 documents, 1 index, 2 refused\n {2}E11000/);

  put("teas.ndjson", '{"_id":3,"n":"rue"}\n{"_id":1}\n{broken\n');
  const imported = await quiredb("import", "teas.ndjson", ...uri);
  assert.equal(imported.code, 1);
  assert.match(imported.stderr, /^garden\.teas: 1 document, 2 refused\n/);
});
