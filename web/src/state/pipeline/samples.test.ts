/** The commands that sample the documents between the stages of a pipeline, and their answers. */
import { expect, test } from "vitest";
import { encode } from "../../codec/encode.ts";
import { decode } from "../../codec/decode.ts";
import { inputFor, preview, previewCommand, type PreviewStage } from "./samples.ts";

const stage = (document: object): PreviewStage => ({ kind: "stage", document });
const match = stage({ $match: { a: 1 } });

test("each stage is asked for with those before it that are enabled, and a limit on both sides", () => {
  const stages = [match, { kind: "disabled" } as const, stage({ $sort: { a: 1 } })];
  expect(previewCommand("teas", stages, 2, 1000)).toMatchObject({
    aggregate: "teas",
    pipeline: [{ $limit: 1000 }, { $match: { a: 1 } }, { $sort: { a: 1 } }, { $limit: 11 }],
  });
  expect(previewCommand("teas", stages, -1, null)).toMatchObject({ pipeline: [{ $limit: 11 }] });
  expect(previewCommand(null, [stage({ $documents: [] })], 0, 1000)).toMatchObject({
    aggregate: 1,
    pipeline: [{ $documents: [] }, { $limit: 11 }],
  });
});

test("what writes, is disabled or cannot be told is not run, nor what stands behind it", () => {
  const out = stage({ $out: "x" });
  expect(previewCommand("teas", [match, out], 1, null)).toEqual({ kind: "writes" });
  expect(previewCommand("teas", [stage({ $merge: { into: "x" } }), match], 1, null)).toEqual({ kind: "behind" });
  expect(previewCommand("teas", [{ kind: "disabled" }], 0, null)).toEqual({ kind: "disabled" });
  expect(previewCommand("teas", [{ kind: "unknown" }, match], 1, null)).toEqual({ kind: "behind" });
  expect(previewCommand("teas", [{ kind: "unknown" }], 0, null)).toEqual({ kind: "unknown" });
});

test("the answer is documents, with a word on more, or the engine's refusal", async () => {
  const answering = (reply: object) => ({
    commandBytes: async (bytes: Uint8Array) => {
      expect(decode(bytes, { numbers: "shell" })["$db"]).toBe("shop");
      return encode(reply);
    },
  });
  const found = Array.from({ length: 11 }, (_, n) => ({ n }));
  const full = await preview(answering({ ok: 1, cursor: { id: 0n, firstBatch: found } }), "shop", "teas", [], -1, null);
  expect(full).toMatchObject({ kind: "documents", more: true });
  expect(full.kind === "documents" && full.documents.length).toBe(10);
  expect(
    await preview(answering({ ok: 0, errmsg: "no such stage", code: 40324 }), "shop", "teas", [match], 0, null),
  ).toEqual({ kind: "failed", message: "no such stage", late: false });
  expect(await preview(answering({ ok: 0, errmsg: "late", code: 50 }), "shop", "teas", [match], 0, null)).toEqual({
    kind: "failed",
    message: "late",
    late: true,
  });
});

test("a collection that is read whole has no limit before the stages", () => {
  expect([inputFor(1000, 20), inputFor(1000, 2000), inputFor(1000, null), inputFor(null, 5)]).toEqual([
    null,
    1000,
    1000,
    null,
  ]);
});
