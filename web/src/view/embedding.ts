/**
 * The page as a frame inside another's, made by `<quire-playground>`: it dresses as it is told to, and tells of runs.
 *
 * Invariants: it takes no orders from the page around; it tells the results and errors that a reader sees, as text, and
 * to that page alone. Settings chosen for a frame are not kept, so they never become the reader's own elsewhere.
 */
import { frameMessage } from "../embed/frame-messages.ts";
import type { QuireEventDetails, QuireEventName } from "../embed/events.ts";
import { decodeShared } from "../share/decode.ts";
import type { Leaf } from "../state/model.ts";
import type { Store } from "../state/store.ts";
import { addTab, changeTab, oneTab, type Tabs } from "../state/tabs.ts";
import { wordValue } from "../state/wording.ts";

/** The scripts that the fragment of the frame's address holds; one that cannot be read says nothing. */
export async function shownScripts(hash: string): Promise<{ readonly tabs?: Tabs }> {
  const shared = await decodeShared(hash).catch(() => null);
  const [first, ...others] = shared?.scripts ?? [];
  if (first === undefined) return {};
  const tabs = others.reduce(
    (before, { name, source }) => addTab(before, { name: name || null, script: source, lesson: null }),
    oneTab(first.source, null),
  );
  return { tabs: { ...changeTab(tabs, 1, { name: first.name }), openTab: 1 } };
}

/** Tells the page around of events here: ready, runs, errors. */
export function report(store: Store): void {
  const tell = <Name extends QuireEventName>(name: Name, detail: QuireEventDetails[Name]): void =>
    parent.postMessage(frameMessage(name, detail), "*");
  store.subscribe((now, before) => {
    if (now.engine.kind === "open" && before.engine.kind !== "open")
      tell("ready", { milliseconds: Math.round(performance.now()) });
    if (now.engine.kind === "failed" && before.engine.kind !== "failed") {
      const { message } = now.engine;
      tell("error", {
        stage: "engine",
        name: "Error",
        message,
        text: message,
        code: null,
        codeName: null,
        line: null,
        column: null,
        matches: null,
      });
    }
    const leaf = now.leaves[0];
    if (leaf === undefined) return;
    const known = before.leaves.find(({ number }) => number === leaf.number);
    if (known === undefined) tell("run", { source: leaf.source, database: leaf.database });
    if (leaf.state !== "done" || known?.state === "done") return;
    if (leaf.error !== null) tell("error", { stage: "script", ...leaf.error, matches: null });
    else tell("result", resultOf(leaf));
  });
}

function resultOf({ source, printed, value, statistics }: Leaf): QuireEventDetails["result"] {
  const text =
    value.kind === "text"
      ? value.text
      : value.kind === "value"
        ? wordValue(value.value)
        : value.kind === "cursor"
          ? wordValue(value.documents)
          : "";
  return {
    source,
    text: [...printed, ...(text === "" ? [] : [text])].join("\n"),
    printed,
    documents: null,
    matches: null,
    more: value.kind === "cursor" && value.batch.cursorId !== 0n,
    milliseconds: Math.round(statistics?.elapsedMillis ?? 0),
  };
}
