/**
 * Every action of the page as a list to search: its name, its keys, and its effect.
 *
 * Invariant: an action that can do nothing now is not in the list.
 */
import { lessons } from "../../lessons/lessons.ts";
import { wordsOf } from "../../messages/messages.ts";
import { deskMessagesOf, type DeskMessages } from "../../messages/desk/words.ts";
import type { Messages } from "../../messages/messages.ts";
import type { AppState } from "../../state/model.ts";
import {
  languageNames,
  languages,
  layouts,
  nextFontSize,
  resultViews,
  themes,
  type Language,
} from "../../state/settings.ts";
import { openTabOf } from "../../state/tabs.ts";
import { referenceTo } from "../data/menu-target.ts";
import type { PageAction, Services } from "../element.ts";
import { guides, siteAddress } from "../guides.ts";
import { tabTitle } from "../tab-title.ts";
import { keysOf } from "./desk-keys.ts";

export interface DeskAction {
  readonly group: string;
  readonly label: string;
  readonly keys: readonly string[];
  run(): void;
}

/** The actions there are now, worded in a language. */
export function deskActions(services: Services, app: AppState, language: Language): readonly DeskAction[] {
  const t: DeskMessages = deskMessagesOf(language);
  const { m } = wordsOf(language);
  const { store, controller } = services;
  const action = (group: string, label: string, run: () => void, keys: readonly string[] = []): DeskAction => ({
    group,
    label,
    run,
    keys,
  });
  const act = (group: string, label: string, what: PageAction, keys: readonly string[] = []): DeskAction =>
    action(group, label, () => services.act(what), keys);
  const open = openTabOf(app);
  const written = open.script.trim() !== "";
  const [script, tabs, go, view, data] = [
    t["group.script"],
    t["group.tabs"],
    t["group.go"],
    t["group.view"],
    t["group.data"],
  ];
  return [
    ...(app.running === null && written ? [act(script, t["do.run"], "run", keysOf.run)] : []),
    ...(app.running === null ? [] : [act(script, t["do.stop"], "stop", keysOf.stop)]),
    ...tools(act, t, script, written),
    act(script, t["do.complete"], "complete", keysOf.complete),
    act(script, t["do.history"], "history"),
    act(tabs, t["do.tab.new"], "tab.new"),
    act(tabs, t["do.tab.name"], "tab.name", keysOf["tab.name"]),
    act(tabs, t["do.tab.close"], "tab.close", keysOf["tab.close"]),
    ...(app.closedTabs.length === 0 ? [] : [act(tabs, t["do.tab.reopen"], "tab.reopen")]),
    ...(app.tabs[0] === open
      ? []
      : [
          action(
            tabs,
            t["do.tab.left"],
            () => store.dispatch({ kind: "tab-moved", tab: open.id, by: -1 }),
            keysOf["tab.left"],
          ),
        ]),
    ...(app.tabs.at(-1) === open
      ? []
      : [
          action(
            tabs,
            t["do.tab.right"],
            () => store.dispatch({ kind: "tab-moved", tab: open.id, by: 1 }),
            keysOf["tab.right"],
          ),
        ]),
    ...app.tabs
      .filter((tab) => tab !== open)
      .map((tab) =>
        action(go, tabTitle(m, tab), () => {
          store.dispatch({ kind: "tab-opened", tab: tab.id });
          services.act("focus");
        }),
      ),
    act(go, t["do.go.script"], "focus"),
    action(go, t["do.go.results"], () => services.goPane("results")),
    action(go, t["do.go.data"], () => services.goPane("data")),
    ...viewActions(services, app, t, m, view),
    ...(app.running === null
      ? [act(data, t["do.undo"], "undo", keysOf.undo), act(data, t["do.redo"], "redo", keysOf.redo)]
      : []),
    act(data, t["do.timeline"], "timeline", keysOf.timeline),
    action(data, t["do.refresh"], () => void controller.refresh()),
    action(data, t["do.storage"], () => store.dispatch({ kind: "dialog-opened", dialog: "storage" })),
    action(data, t["do.samples"], () => store.dispatch({ kind: "data-dialog-changed", dialog: { kind: "samples" } })),
    action(data, t["do.deployments"], () => store.dispatch({ kind: "dialog-opened", dialog: "deployments" })),
    ...dataActions(services, app, t, data),
    ...guides.map(({ href, name, about }) =>
      action(t["group.guides"], t["do.guide"](m[name], m[about]), () => location.assign(siteAddress(href))),
    ),
    ...lessons.map((lesson) =>
      action(t["group.examples"], m[`lesson.${lesson.id}`], () => services.openLesson(lesson.id)),
    ),
  ];
}

type Act = (group: string, label: string, what: PageAction, keys?: readonly string[]) => DeskAction;

/** The actions on the open script; none of them while it is empty. */
function tools(act: Act, t: DeskMessages, group: string, written: boolean): readonly DeskAction[] {
  return written
    ? [
        act(group, t["do.format"], "format", keysOf.format),
        act(group, t["do.search"], "search", keysOf.search),
        act(group, t["do.pipeline"], "pipeline", keysOf.pipeline),
        act(group, t["do.copy"], "copy"),
        act(group, t["do.share"], "share"),
      ]
    : [];
}

function viewActions(
  { store, act, speak }: Services,
  app: AppState,
  t: DeskMessages,
  m: Messages,
  group: string,
): readonly DeskAction[] {
  const change = (label: string, what: Partial<AppState["settings"]>): DeskAction => ({
    group,
    label,
    keys: [],
    run: () => store.dispatch({ kind: "settings-changed", change: what }),
  });
  const { settings } = app;
  return [
    { group, label: t["do.aside"], keys: keysOf.aside, run: () => act("aside") },
    ...layouts
      .filter((layout) => layout !== settings.layout)
      .map((layout) => change(t[`do.layout.${layout}`], { layout })),
    ...([1, -1] as const)
      .map((by) => ({ by, fontSize: nextFontSize(settings.fontSize, by) }))
      .filter(({ fontSize }) => fontSize !== settings.fontSize)
      .map(({ by, fontSize }) => change(t[by > 0 ? "do.font.larger" : "do.font.smaller"], { fontSize })),
    ...resultViews
      .filter((name) => name !== settings.resultView)
      .map((name) => change(t["do.show"](m[`leaf.view.${name}`]), { resultView: name })),
    ...themes
      .filter((theme) => theme !== settings.theme)
      .map((theme) => change(t["do.theme"](m[`header.theme.${theme}`]), { theme })),
    ...languages
      .filter((language) => language !== settings.language)
      .map((language) => ({
        group,
        label: t["do.language"](languageNames[language]),
        keys: [],
        run: () => void speak(language),
      })),
    ...(app.leaves.some((leaf) => leaf.state === "done")
      ? [{ group, label: t["do.clear"], keys: [], run: () => store.dispatch({ kind: "leaves-cleared" }) }]
      : []),
    {
      group,
      label: t["do.settings"],
      keys: [],
      run: () => store.dispatch({ kind: "dialog-opened", dialog: "settings" }),
    },
    { group, label: t["do.keys"], keys: [], run: () => act("keys") },
  ];
}

function dataActions(services: Services, app: AppState, t: DeskMessages, group: string): readonly DeskAction[] {
  const { store, controller } = services;
  const { databases } = app.catalog;
  const current = databases.find(({ summary }) => summary.name === app.database);
  return [
    ...databases.map(({ summary }) => ({
      group,
      label: t["do.model"](summary.name),
      keys: [],
      run: () => store.dispatch({ kind: "desk-opened", desk: { kind: "model", database: summary.name } }),
    })),
    ...databases
      .filter((database) => database !== current)
      .map(({ summary }) => ({
        group,
        label: t["do.use"](summary.name),
        keys: [],
        run: () => store.dispatch({ kind: "database-chosen", database: summary.name }),
      })),
    ...(current?.collections ?? []).flatMap(({ name, type }) => [
      { group, label: t["do.find"](name), keys: [], run: () => void controller.run(`${referenceTo(name)}.find()`) },
      { group, label: t["do.insert"](name), keys: [], run: () => services.insert(`${referenceTo(name)}.`) },
      ...(type === "collection"
        ? [
            {
              group,
              label: t["do.watch"](name),
              keys: [],
              run: () =>
                store.dispatch({
                  kind: "watch-shown",
                  watch: { database: app.database, collection: name, behind: null },
                }),
            },
          ]
        : []),
    ]),
  ];
}
