/**
 * Starts the page: restores the kept settings and tabs, makes the store and the controller, then draws, then opens the
 * engine.
 *
 * Invariant: the page can be read, typed in and run before engine and editor are there; the engine is opened once the
 * browser is idle, or by the first Run, whichever comes first, unless `start/page.ts` has begun it already.
 */
import { EMBEDDED } from "../embed/frame-messages.ts";
import { firstScript, lessonIds } from "../lessons/lessons.ts";
import { loadWords, wordsOf } from "../messages/messages.ts";
import { Controller } from "../state/controller.ts";
import { initialState, type AppState } from "../state/model.ts";
import { deploymentName, deploymentsKey, holdOpen, noteDeployment } from "../state/deployments.ts";
import { dressed, exampleOf, undressed, wishesOf, withoutWishes, type Wishes } from "../state/links.ts";
import { openPlayground } from "../state/open-client.ts";
import { browserStorage, keep, restore, resultsMark, tabName, type Kept, type Places } from "../state/persistence.ts";
import type { Settings } from "../state/settings.ts";
import { Store } from "../state/store.ts";
import { keepPlace, readPlace } from "../state/watch/kept-watch.ts";
import { deploymentId } from "../start/deployment.ts";
import { provide } from "./element.ts";
import { idle } from "./idle.ts";
import { followParts } from "./missed-part.ts";
import { QuirePage } from "./quire-page.ts";

function keptOf(state: AppState, settings: Settings): Kept {
  return { settings, tabs: state, database: state.database };
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

/** The example that a link names is opened as a tab, as from the menu; the address then forgets it. */
function openExample(page: QuirePage, controller: Controller, unknown: (id: string) => string): boolean {
  const id = exampleOf(location.hash);
  if (id === null) return false;
  if (lessonIds.some((one) => one === id)) void page.openLesson(id);
  else controller.notice("bad", unknown(id));
  history.replaceState(null, "", location.pathname + location.search);
  return true;
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

/** Results of before a reload are read once the page was drawn; they are kept from the first one on. */
function followResults(store: Store, controller: Controller, session: Places["session"], deployment: string): void {
  const begin = (): void =>
    void import("../state/results-store.ts").then(
      async ({ ResultsStore }) => {
        const results = new ResultsStore(store, session, deployment);
        await results.restore();
        results.follow();
        void controller.findMoments();
      },
      () => store.state.restoring && store.dispatch({ kind: "leaves-restored", leaves: [] }),
    );
  if (store.state.restoring) return idle(begin);
  if (session === null) return;
  const stop = store.subscribe(({ running, leaves }) => {
    if (running !== null || leaves.length === 0) return;
    stop();
    idle(begin);
  });
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

/** The address's wishes that the reader has just overruled by another choice. */
function wishesOver(wished: Wishes, now: AppState, before: AppState): readonly (keyof Wishes)[] {
  const changed: Readonly<Record<keyof Wishes, boolean>> = {
    theme: now.settings.theme !== before.settings.theme,
    language: now.settings.language !== before.settings.language,
    database: now.database !== before.database,
  };
  return (Object.keys(changed) as (keyof Wishes)[]).filter((wish) => wished[wish] !== null && changed[wish]);
}

/** Reads the settings and words, opens the deployment and draws the page. */
async function begin(): Promise<void> {
  const tellParts = followParts();
  // As a frame of `<quire-playground>` in another page, this page goes by that one's wishes and keeps nothing of them.
  const embedding =
    parent !== window && new URLSearchParams(location.search).has(EMBEDDED) ? await import("./embedding.ts") : null;
  const storage = embedding === null ? browserStorage() : { local: null, session: null };
  const id = deploymentId(location.search);
  const kept = restore(storage, navigator.languages, id);
  let wished: Wishes = wishesOf(location.search);
  /** The reader's own settings, without the address's wishes: these are kept. */
  let own = kept.settings;
  const restored = {
    ...kept,
    ...(embedding === null ? {} : await embedding.shownScripts(location.hash)),
    settings: dressed(kept.settings, wished),
    database: wished.database ?? kept.database,
  };
  await loadWords(restored.settings.language);
  const { m } = wordsOf(restored.settings.language);
  const fresh = initialState(
    restored.settings,
    firstScript(m["first.run"], m["first.change"]),
    null,
    restored.database ?? "test",
  );
  const named = { id, name: deploymentName(storage.local, id) };
  const mark = resultsMark(storage.session, id);
  const restoring = mark !== null && mark.leaves > 0;
  const store = new Store({ ...fresh, ...restored.tabs, named, restoring, runs: restoring ? mark.runs : 0 });
  const controller = new Controller(store, {
    open: openPlayground,
    now: () => Date.now(),
    tab: tabName(storage.session),
    storage: (navigator as Partial<Navigator>).storage ?? null,
    keepWatch: (place) => keepPlace(storage.session, id, place),
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
    const over = wishesOver(wished, now, before);
    if (over.length > 0) {
      for (const wish of over) wished = { ...wished, [wish]: null };
      history.replaceState(null, "", withoutWishes(location.href, over));
    }
    const ownBefore = own;
    if (now.settings !== before.settings) own = undressed(now.settings, wished, own);
    keep(storage, keptOf(now, own), keptOf(before, ownBefore), id);
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

  tellParts({ store, controller });
  followResults(store, controller, storage.session, id);
  dress(store.state);
  embedding?.report(store);
  // Made here and not in the document, since the page needs its services when it is connected.
  page = new QuirePage();
  const drawn = page;
  document.body.prepend(page);
  idle(() => {
    const watched = readPlace(storage.session, id);
    if (watched !== null) {
      const { database, collection, ...behind } = watched;
      store.dispatch({ kind: "watch-shown", watch: { database, collection, behind } });
    }
    holdOpen((navigator as Partial<Navigator>).locks ?? null, id);
    if (embedding === null) noteDeployment(storage.local, id);
    void controller.open().then(async () => {
      // A frame in another's page leaves it to the page itself to be kept. It has time until no script runs.
      await atRest(store);
      void import("./printing.ts").then(({ preparePrinting }) => preparePrinting(store, drawn));
      if (import.meta.env.PROD && import.meta.env.MODE !== "fake" && embedding === null)
        void import("../offline/register.ts").then(({ keepForOffline }) => keepForOffline(store, controller));
    });
  });

  const shown = page;
  const example = (): boolean =>
    openExample(shown, controller, (one) => wordsOf(store.state.settings.language).m["example.unknown"](one));
  // A frame was given its scripts by the page around it.
  if (embedding !== null) example();
  else {
    const read = (): void => {
      if (!example()) void readLink(store);
    };
    addEventListener("hashchange", read);
    store.subscribe((now, before) => {
      if (before.desk.kind === "shared" && now.desk.kind !== "shared")
        history.replaceState(null, "", location.pathname + location.search);
    });
    read();
    // Another tab may have called the deployment otherwise.
    addEventListener("storage", ({ key }) => {
      if (key === deploymentsKey) store.dispatch({ kind: "deployment-named", name: deploymentName(storage.local, id) });
    });
  }
}

void begin();
