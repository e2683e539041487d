/** Names in a lesson's script while the lesson's engine is still being started. */
import { CompletionContext } from "@codemirror/autocomplete";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import type { CourseClient } from "../../lessons/course/place.ts";
import { CourseSession } from "../../lessons/course/session.ts";
import { courseCompletion } from "./course-completion.ts";

const files: Readonly<Record<string, string>> = {
  "course.json": JSON.stringify({
    ...{ quireCourse: 1, id: "c", title: { en: "C" }, about: { en: "c" }, languages: ["en"] },
    lessons: [{ id: "a", minutes: 5 }],
  }),
  "a/en.md": "# A\n",
  "a/scripts.md": "```js setup\ndb.books.insertOne({ narrator: 1 })\n```\n",
};

/** An engine whose collection is there once the lesson's data were made. */
function engine(): CourseClient {
  let made = false;
  const cursor = (...firstBatch: object[]) => ({ cursor: { id: 0, ns: "a.books", firstBatch }, ok: 1 });
  const answer = (command: Record<string, unknown>): object => {
    if ("count" in command) return { n: 1, ok: 1 };
    if (!made) return cursor();
    return cursor("find" in command ? { narrator: 1 } : { name: "books", type: "collection" });
  };
  return {
    run: () => {
      made = true;
      const statistics = { commands: 1, elapsedMillis: 1, engineMillis: 1 };
      const outcome = { value: { kind: "none" }, statements: [], printed: [], error: null, database: "a", statistics };
      return { outcome: Promise.resolve(outcome), stop: () => undefined };
    },
    command: async () => ({ ok: 1 }),
    commandBytes: async (bytes: Uint8Array) => encode(answer(decode(bytes) as Record<string, unknown>)),
    more: () => Promise.reject(new Error("one batch")),
    close: async () => undefined,
  } as unknown as CourseClient;
}

async function reader() {
  let letGo: (client: CourseClient) => void = () => undefined;
  const held = new Promise<CourseClient>((resolve) => {
    letGo = resolve;
  });
  const session = new CourseSession({
    read: async (path) => files[path] ?? "",
    openClient: () => held,
    storage: null,
  });
  await session.start("en", "a");
  let isAsked: () => void = () => undefined;
  const wanted = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const client = () => {
    const begun = session.begun();
    isAsked();
    return begun;
  };
  const source = courseCompletion(() => ({ client, database: "a", language: "en" }));
  const named = async (doc: string): Promise<readonly string[]> => {
    const state = EditorState.create({ doc, extensions: [javascriptLanguage] });
    const result = await source(new CompletionContext(state, doc.length, false));
    return (result?.options ?? []).map(({ label }) => label);
  };
  return { session, named, wanted, letGo: () => letGo(engine()) };
}

test("the list waits for an engine that is being started, with its collections and fields", async () => {
  const { session, named, wanted, letGo } = await reader();
  const woken = session.wake();
  const asked = [named("db."), named("db.books.find({ nar")] as const;
  await wanted;
  letGo();
  expect(await asked[0]).toContain("books");
  expect(await asked[1]).toContain("narrator");
  await woken;
  expect(session.phase).toBe("ready");
});

test("what needs no name of the lesson's is offered meanwhile, all of the shell's before the reader acts", async () => {
  const { session, named, letGo } = await reader();
  expect(await named("db.")).toContain("getCollection");
  expect(await named("db.")).not.toContain("books");
  const woken = session.wake();
  expect(await named("db.books.find().")).toContain("sort");
  letGo();
  await woken;
});
