/**
 * The words of moments, undo and the timeline in English.
 *
 * Invariant: as `messages/en.ts`; the other tables have exactly these keys.
 */
export const en = {
  "deed.edit": (text: string, on: string) => `${text} changed in a document of ${on}`,
  "deed.delete": (_text: string, on: string) => `Document deleted from ${on}`,
  "deed.insert": (_text: string, on: string) => `Document put back into ${on}`,
  "deed.import": (text: string, on: string) => `${text} imported into ${on}`,
  "deed.dump": (text: string, _on: string) => `Files restored: ${text}`,
  "deed.sample": (_text: string, on: string) => `Sample data ${on} loaded`,
  "deed.create": (_text: string, on: string) => `${on} created`,
  "deed.rename": (text: string, on: string) => `${on} renamed to ${text}`,
  "deed.drop": (_text: string, on: string) => `${on} dropped`,
  "deed.drop-database": (_text: string, on: string) => `Database ${on} dropped`,
  "deed.erase": (_text: string, _on: string) => "All data erased",
  "deed.create-index": (text: string, on: string) => `Index ${text} made on ${on}`,
  "deed.drop-index": (text: string, on: string) => `Index ${text} of ${on} dropped`,
  "deed.hide-index": (text: string, on: string) => `Index ${text} of ${on} hidden`,
  "deed.show-index": (text: string, on: string) => `Index ${text} of ${on} shown again`,
  "deed.restore": (text: string, on: string) => (on === "" ? `Restored: ${text}` : `${on} restored from: ${text}`),
  "deed.elsewhere": (_text: string, _on: string) => "Changes that this page did not make",

  "go.undone": (what: string, counts: string) => `Undone: ${what}${counts === "" ? "" : ` (${counts})`}`,
  "go.undone.many": (count: string, counts: string) => `${count} changes undone${counts === "" ? "" : ` (${counts})`}`,
  "go.redone": (what: string, counts: string) => `Done again: ${what}${counts === "" ? "" : ` (${counts})`}`,
  "go.undo": "Undo",
  "go.redo": "Redo",
  "go.asks": (what: string) => `The last change was not made in this tab: ${what}. Nothing is undone yet.`,
  "go.asks.many": (count: string, what: string) =>
    `That would take back ${count} changes, with: ${what}. Nothing is undone yet.`,
  "go.asks.undo": "Undo it",
  "go.asks.undo.many": (count: string) => `Undo all ${count}`,
  "go.nothing": "There is nothing to undo.",
  "go.nothing.redo": "There is nothing to redo.",
  "go.gone": "The state before this is not kept any more: storage needed its room.",
  "go.not-here": "This change was undone already.",
  "go.unkept": (reason: string) => `This change cannot be undone, as storage could not keep the state: ${reason}`,

  "counts.back": (count: string, one: boolean) => (one ? `${count} document back` : `${count} documents back`),
  "counts.gone": (count: string, one: boolean) => (one ? `${count} document gone` : `${count} documents gone`),
  "counts.other": (count: string, one: boolean) => (one ? `${count} document changed` : `${count} documents changed`),
};
