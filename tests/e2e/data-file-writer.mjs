/**
 * A process that writes to a data file until it is killed: `node writer.mjs FILE ENGINE.wasm STEP`.
 *
 * It opens the file, tells what it finds there (`found`), and then has four clients write without end, each into a
 * collection of its own: a document, whose number is told before it is sent (`sent`) and after its journal was
 * acknowledged (`stored`), and the removal of an older one, which is not waited for. Lines are written to a pipe at
 * once, so that a line which was not read was not written.
 */
import { readFileSync, writeSync } from "node:fs";
import { decode } from "../../web/src/codec/decode.ts";
import { encode } from "../../web/src/codec/encode.ts";
import { openDataFile } from "../../web/src/pkg/server/data-file.ts";
import { CLIENTS, KEPT, padding } from "./data-file-steps.mjs";

const [path, wasm, from] = process.argv.slice(2);
const tell = (...words) => writeSync(1, `${words.join(" ")}\n`);

const engine = await openDataFile(path, { source: () => readFileSync(wasm) });
async function run(command) {
  const reply = decode(await engine.command(encode({ ...command, $db: "shop" })));
  const refused = reply.writeErrors?.[0] ?? reply.writeConcernError;
  if (reply.ok !== 1 || refused !== undefined) throw new Error(JSON.stringify(reply));
  return reply;
}

const found = {};
for (let client = 0; client < CLIENTS; client += 1) {
  const { cursor } = await run({ find: `c${client}`, sort: { _id: 1 }, batchSize: 100_000 });
  const torn = cursor.firstBatch.filter(({ _id, pad }) => pad !== padding(_id));
  if (torn.length > 0) throw new Error(`documents of other bytes: ${JSON.stringify(torn)}`);
  found[client] = cursor.firstBatch.map(({ _id }) => _id);
  if (found[client].length === 0) continue;
  const { valid, errors } = await run({ validate: `c${client}`, full: true });
  if (!valid) throw new Error(`c${client}: ${JSON.stringify(errors)}`);
}
tell("found", JSON.stringify(found));

async function write(client) {
  for (let step = Number(from); ; step += 1) {
    tell("sent", client, step);
    await run({
      insert: `c${client}`,
      documents: [{ _id: step, pad: padding(step) }],
      writeConcern: { w: 1, j: true },
    });
    tell("stored", client, step);
    await run({ delete: `c${client}`, deletes: [{ q: { _id: { $lte: step - KEPT } }, limit: 0 }] });
    // Other clients get their turn, as they do between two messages of a socket.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
for (let client = 0; client < CLIENTS; client += 1) void write(client);
