/**
 * Kills processes that write to a data file, at random moments, and opens the file again: nothing that was acknowledged
 * with its journal may be lost. `node tests/e2e/data-file-kills.mjs [--seed N] [--kills N | --minutes N]`.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CLIENTS, KEPT, randomOf } from "./data-file-steps.mjs";

const { build } = createRequire(new URL("../../web/package.json", import.meta.url))("esbuild");
const root = fileURLToPath(new URL("../../", import.meta.url));
const wasm = join(root, "web/wasm/quire_bg.wasm");

/** The writer as one file, which Node can run. */
async function built(folder) {
  const outfile = join(folder, "writer.mjs");
  await build({
    entryPoints: [join(root, "tests/e2e/data-file-writer.mjs")],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "error",
  });
  return outfile;
}

/** One process: what it found, and all that it told before its end. */
async function life(writer, path, from, lines, millis) {
  const child = spawn(process.execPath, [writer, path, wasm, String(from)], { stdio: ["ignore", "pipe", "pipe"] });
  const told = { found: null, sent: new Map(), stored: new Map(), complaint: "" };
  child.stderr.on("data", (text) => (told.complaint += text));
  let left = lines;
  const reading = createInterface({ input: child.stdout });
  reading.on("line", (line) => {
    const [word, first, second] = line.split(" ");
    if (word === "found") told.found = JSON.parse(line.slice("found ".length));
    else told[word].set(first, Number(second));
    left -= 1;
    if (left === 0) void pause(millis).then(() => child.kill("SIGKILL"));
  });
  if (lines === 0) void pause(millis * 50).then(() => child.kill("SIGKILL"));
  const [[code, signal]] = await Promise.all([
    new Promise((resolve) => child.on("exit", (...end) => resolve(end))),
    new Promise((resolve) => reading.on("close", resolve)),
  ]);
  assert.equal(signal, "SIGKILL", `the process ended by itself (${code}): ${told.complaint}`);
  return told;
}

/** Has so many processes find the lock of a dead one at once; gives how many got the file, and what the others said. */
export async function contend(count) {
  const folder = mkdtempSync(join(tmpdir(), "quire-locks-"));
  try {
    const writer = await built(folder);
    const path = join(folder, "shop.quire");
    const dead = { token: "dead", pid: process.pid, host: hostname(), boot: "an earlier one", began: "1" };
    writeFileSync(`${path}.lock`, JSON.stringify(dead));
    const children = Array.from({ length: count }, () => spawn(process.execPath, [writer, path, wasm, "1"]));
    const ends = children.map(
      (child) =>
        new Promise((resolve) => {
          let complaint = "";
          child.stderr.on("data", (text) => (complaint += text));
          child.stdout.once("data", () => resolve(null));
          child.on("exit", () => resolve(complaint));
        }),
    );
    const told = await Promise.all(ends);
    const over = children.map((child) => child.exitCode ?? new Promise((resolve) => child.on("close", resolve)));
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(over);
    return { writers: told.filter((end) => end === null).length, complaints: told.filter((end) => end !== null) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Kills so many writers, or for so long; gives how many, and how many documents were acknowledged. */
export async function campaign({ seed, kills = Infinity, until = Infinity }) {
  const random = randomOf(seed);
  const folder = mkdtempSync(join(tmpdir(), "quire-kills-"));
  try {
    const writer = await built(folder);
    const path = join(folder, "shop.quire");
    /** Of each client: the numbers sent and those acknowledged, of all lives. */
    const known = Array.from({ length: CLIENTS }, () => ({ sent: new Set(), stored: new Set(), last: 0 }));
    let [killed, acknowledged, from] = [0, 0, 1];
    while (killed < kills && Date.now() < until) {
      const lines = random(5) === 0 ? 0 : 1 + random(120);
      const told = await life(writer, path, from, lines, random(4));
      killed += 1;
      for (const [client, ids] of Object.entries(told.found ?? {})) {
        const { sent, stored, last } = known[client];
        const where = `seed ${seed}, kill ${killed}, client ${client}`;
        const has = new Set(ids);
        for (const step of ids) assert.ok(sent.has(step), `${where}: nobody sent ${step}`);
        for (const step of stored)
          assert.ok(step <= last - KEPT || has.has(step), `${where}: ${step} was acknowledged and is lost`);
      }
      // Numbers are not used again: a process begins behind all that the ones before sent.
      let next = from;
      for (const [client, { sent, stored }] of known.entries()) {
        const [begun, done] = [told.sent.get(String(client)) ?? 0, told.stored.get(String(client)) ?? 0];
        for (let step = from; step <= begun; step += 1) sent.add(step);
        for (let step = from; step <= done; step += 1) stored.add(step);
        known[client].last = Math.max(known[client].last, done);
        acknowledged += Math.max(0, done - from + 1);
        next = Math.max(next, begun + 1);
      }
      from = next;
    }
    return { killed, acknowledged };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { seed: { type: "string" }, kills: { type: "string" }, minutes: { type: "string" } },
  });
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`seed ${seed}`);
  const { killed, acknowledged } = await campaign({
    seed,
    kills: values.kills === undefined && values.minutes === undefined ? 200 : Number(values.kills ?? Infinity),
    until: values.minutes === undefined ? Infinity : Date.now() + Number(values.minutes) * 60_000,
  });
  console.log(`${killed} kills, ${acknowledged} documents acknowledged, none lost`);
}
