/**
 * Starts the page: restores what was kept, makes the store and the controller, then draws, then opens the engine.
 *
 * Invariant: the page can be read and typed in before the engine is there; the engine is opened once the browser is
 * idle, or by the first Run, whichever comes first.
 */
import { firstScript } from "../lessons/lessons.ts";
import { wordsOf } from "../messages/messages.ts";
import { Controller } from "../state/controller.ts";
import { initialState, type AppState } from "../state/model.ts";
import { openPlayground } from "../state/open-client.ts";
import { browserStorage, keep, restore, type Kept } from "../state/persistence.ts";
import { Store } from "../state/store.ts";
import { provide } from "./element.ts";
import { QuirePage } from "./quire-page.ts";

const storage = browserStorage();
const restored = restore(storage, navigator.languages);
const { m } = wordsOf(restored.settings.language);
const store = new Store(initialState(restored.settings, restored.script ?? firstScript(m["first.run"], m["first.change"]), restored.lesson, restored.database ?? "test"));
const controller = new Controller(store, {
  open: openPlayground,
  now: () => Date.now(),
  storage: (navigator as Partial<Navigator>).storage ?? null,
});

let page: QuirePage | null = null;
provide({
  store,
  controller,
  insert: (text) => page?.insert(text),
  goTo: (line, column) => page?.goTo(line, column),
});

function keptOf(state: AppState): Kept {
  return { settings: state.settings, script: state.script, lesson: state.lesson, database: state.database };
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

store.subscribe((now, before) => {
  keep(storage, keptOf(now), keptOf(before));
  if (now.settings !== before.settings) dress(now);
  if (now.notice !== before.notice && now.notice !== null && now.notice.tone !== "bad") {
    const { id } = now.notice;
    setTimeout(() => store.dispatch({ kind: "notice-dismissed", id }), 6000);
  }
});

dress(store.state);
// Made here and not in the document, since the page needs its services when it is connected.
page = new QuirePage();
document.body.prepend(page);
const idle = (globalThis as Partial<Pick<typeof globalThis, "requestIdleCallback">>).requestIdleCallback ?? ((then: () => void) => setTimeout(then, 50));
idle(() => void controller.open());
