/**
 * Starts the page: restores the kept settings and tabs, makes the store and the controller, then draws, then opens the
 * engine.
 *
 * Invariant: the page can be read, typed in and run before engine and editor are there; the engine is opened once the
 * browser is idle, or by the first Run, whichever comes first, unless `start/page.ts` has begun it already.
 */
import { EMBEDDED } from "../embed/frame-messages.ts";
import { firstScript } from "../lessons/lessons.ts";
import { loadWords, wordsOf } from "../messages/messages.ts";
import { Controller } from "../state/controller.ts";
import { initialState, type AppState } from "../state/model.ts";
import { openPlayground } from "../state/open-client.ts";
import { browserStorage, keep, restore, tabName, type Kept } from "../state/persistence.ts";
import { Store } from "../state/store.ts";
import { provide } from "./element.ts";
import { idle } from "./idle.ts";
import { QuirePage } from "./quire-page.ts";

function keptOf(state: AppState): Kept {
  return { settings: state.settings, tabs: state, database: state.database };
}

/** Language and colours are the document's, above every view. */
function dress(state: AppState): void {
  const root = document.documentElement;
  root.lang = state.settings.language;
  document.title = wordsOf(state.settings.language).m["page.title"];
  if (state.settings.theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = state.settings.theme;
  const ground = getComputedStyle(document.body).backgroundColor;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", ground);
}

/** A link's scripts are shown, and nothing else is done with them; the address forgets them once they were seen. */
async function readLink(store: Store): Promise<void> {
  if (!/^#q\d+\./.test(location.hash)) return;
  const { decodeShared, ShareError } = await import("../share/decode.ts");
  try {
    const found = await decodeShared(location.hash);
    if (found !== null)
      store.dispatch({ kind: "desk-opened", desk: { kind: "shared", scripts: found.scripts, fault: null } });
  } catch (error) {
    store.dispatch({
      kind: "desk-opened",
      desk: { kind: "shared", scripts: null, fault: error instanceof ShareError ? error.fault : "damaged" },
    });
  }
}

/** Resolves when no script runs. */
function atRest(store: Store): Promise<void> {
  if (store.state.running === null) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = store.subscribe(({ running }) => {
      if (running !== null) return;
      stop();
      idle(resolve);
    });
  });
}

/** Reads the settings and words, opens the deployment and draws the page. */
async function begin(): Promise<void> {
  // In another's page, which `<quire-playground>` put it into, it goes by that page's wishes and keeps nothing of them.
  const embedding =
    parent !== window && new URLSearchParams(location.search).has(EMBEDDED) ? await import("./embedding.ts") : null;
  const storage = embedding === null ? browserStorage() : { local: null, session: null };
  const kept = restore(storage, navigator.languages);
  const restored = embedding === null ? kept : { ...kept, ...(await embedding.wishes(location, kept.settings)) };
  await loadWords(restored.settings.language);
  const { m } = wordsOf(restored.settings.language);
  const fresh = initialState(
    restored.settings,
    firstScript(m["first.run"], m["first.change"]),
    null,
    restored.database ?? "test",
  );
  const store = new Store({ ...fresh, ...restored.tabs });
  const controller = new Controller(store, {
    open: openPlayground,
    now: () => Date.now(),
    tab: tabName(storage.session),
    storage: (navigator as Partial<Navigator>).storage ?? null,
  });

  let page: QuirePage | null = null;
  provide({
    store,
    controller,
    insert: (text) => page?.insert(text),
    goTo: (tab, line, column) => page?.goTo(tab, line, column),
    goPane: (pane) => page?.goPane(pane),
    openLesson: (id) => void page?.openLesson(id),
    speak: async (language) => {
      await loadWords(language);
      store.dispatch({ kind: "settings-changed", change: { language } });
    },
    act: (action, tab) => page?.act(action, tab),
  });

  store.subscribe((now, before) => {
    keep(storage, keptOf(now), keptOf(before));
    if (now.settings !== before.settings) dress(now);
    if (before.running !== null && now.running === null) {
      const leaf = now.leaves.find(({ number }) => number === before.running?.leaf);
      if (leaf !== undefined)
        void import("../state/history.ts").then(({ rememberRun }) => rememberRun(storage.local, leaf));
    }
    if (now.notice !== before.notice && now.notice !== null && now.notice.tone !== "bad") {
      const { id, offer } = now.notice;
      // A notice with a remedy is there for longer, as a hand may be slow to reach it.
      setTimeout(() => store.dispatch({ kind: "notice-dismissed", id }), offer === undefined ? 6000 : 20_000);
    }
  });

  dress(store.state);
  embedding?.report(store);
  // Made here and not in the document, since the page needs its services when it is connected.
  page = new QuirePage();
  document.body.prepend(page);
  idle(() => {
    void controller.open().then(async () => {
      // A frame in another's page leaves it to the page itself to be kept. It has time until no script runs.
      await atRest(store);
      if (import.meta.env.PROD && import.meta.env.MODE !== "fake" && embedding === null)
        void import("../offline/register.ts").then(({ keepForOffline }) => keepForOffline(store, controller));
    });
  });

  // A frame was given its scripts by the page around it.
  if (embedding === null) {
    addEventListener("hashchange", () => void readLink(store));
    store.subscribe((now, before) => {
      if (before.desk.kind === "shared" && now.desk.kind !== "shared")
        history.replaceState(null, "", location.pathname + location.search);
    });
    void readLink(store);
  }
}

void begin();
