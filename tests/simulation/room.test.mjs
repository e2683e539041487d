/**
 * A quota that moments have used up, as docs/moments.md promises it: unnamed moments go by themselves and the write is
 * stored; named ones hold the room until they are dropped, which is stored at once, and then writes go on.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, stored } from "./room.mjs";

const QUOTA = 7_000_000;
const OUT_OF_DISK_SPACE = 14031;

const herbs = (round) =>
  Array.from({ length: 100 }, (_, _id) => ({ _id, round, text: String(round % 10).repeat(10_000) }));
const grown = (round) => ({
  update: "herbs",
  updates: [{ q: {}, u: { $set: { round, text: String(round % 10).repeat(10_000) } }, multi: true }],
});
const keep = (client, name) =>
  client.command({ quireMoment: 1, ...(name === undefined ? {} : { name }), $db: "admin" });
const isWhole = async (client, round) => {
  const { n } = await client.command({ count: "herbs", query: { round } });
  assert.equal(n, 100);
  const { valid, errors } = await client.command({ validate: "herbs", full: true });
  assert.deepEqual([valid, errors], [true, []]);
};

for (const countsPuts of [false, true]) {
  const browser = countsPuts ? "of what is put" : "of what is added";

  test(`unnamed moments go by themselves where the quota ${browser} is used up`, async () => {
    const { open, disk } = await begin(QUOTA, countsPuts);
    const client = await open();
    await stored(client, { insert: "herbs", documents: herbs(0) });
    let gone = 0;
    let before = 0;
    for (let round = 1; round <= 20; round += 1) {
      await keep(client);
      await stored(client, grown(round));
      const { moments } = await client.command({ quireMoments: 1, $db: "admin" });
      if (moments.length <= before) gone += 1;
      before = moments.length;
      assert.ok(disk.bytes <= QUOTA, `${disk.bytes} bytes`);
    }
    assert.ok(gone >= 2, `they went ${gone} times`);
    await isWhole(client, 20);
    await isWhole(await open(), 20);
  });

  test(`named moments that are dropped give their room where the quota ${browser} is used up`, async () => {
    const { open, run, world } = await begin(QUOTA, countsPuts);
    const client = await open();
    await stored(client, { insert: "herbs", documents: herbs(0) });
    let round = 0;
    let refused = null;
    while (refused === null && round < 20) {
      await keep(client, `mark ${round}`);
      round += 1;
      const reply = await client.command({ ...grown(round), writeConcern: { j: true } });
      refused = reply.writeConcernError ?? (reply.ok === 1 ? null : reply);
    }
    assert.notEqual(refused, null, "the quota is used up");
    const one = { insert: "herbs", documents: [{ _id: "one" }] };
    assert.equal((await client.command(one)).code, OUT_OF_DISK_SPACE);
    const { moments } = await client.command({ quireMoments: 1, $db: "admin" });
    assert.ok(moments.length > 2);
    for (const { name } of moments.slice(0, -1)) {
      const reply = await client.command({ quireDropMoment: name, writeConcern: { j: true }, $db: "admin" });
      assert.deepEqual([reply.ok, reply.writeConcernError], [1, undefined], name);
    }
    await stored(client, one);
    await stored(client, { delete: "herbs", deletes: [{ q: { _id: "one" }, limit: 1 }] });
    await stored(client, grown(round + 1));
    await isWhole(client, round + 1);
    // Another tab reads what was stored after the first ended.
    world.kill(client.tab);
    await world.pass(1000);
    const next = await open();
    await isWhole(next, round + 1);
    const left = await next.command({ quireMoments: 1, $db: "admin" });
    assert.deepEqual(
      left.moments.map(({ name }) => name),
      moments.slice(-1).map(({ name }) => name),
    );
    assert.equal((await run.wait(next.client.stored(), "storing")).saved, true);
  });

  test(`a collection that is dropped gives its room where the quota ${browser} is used up`, async () => {
    const { open } = await begin(QUOTA, countsPuts);
    const client = await open();
    await stored(client, { insert: "herbs", documents: herbs(0) });
    let trees = 0;
    for (let refused = null; refused === null && trees < 20; trees += 1) {
      const documents = herbs(trees).map((tree) => ({ ...tree, _id: trees * 100 + tree._id }));
      const reply = await client.command({ insert: "trees", documents, writeConcern: { j: true } });
      refused = reply.writeConcernError ?? (reply.ok === 1 ? null : reply);
    }
    const one = { insert: "herbs", documents: [{ _id: "one" }] };
    assert.equal((await client.command(one)).code, OUT_OF_DISK_SPACE);
    await stored(client, { drop: "trees" });
    await stored(client, grown(1));
    await isWhole(await open(), 1);
  });
}
