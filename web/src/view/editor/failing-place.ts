/**
 * The failing place of the last run: a wavy line under it, its message when pointed at.
 *
 * Invariants: at most one place is marked; an edit moves the mark with its text, and an edit inside it takes it away.
 */
import { StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip, type DecorationSet } from "@codemirror/view";

export interface FailingPlace {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** Marks a place, or none. */
export const markFailing = StateEffect.define<FailingPlace | null>();

const underline = Decoration.mark({ class: "cm-failing" });

const failing = StateField.define<FailingPlace | null>({
  create: () => null,
  update(place, transaction) {
    let now = place;
    if (now !== null && transaction.docChanged) {
      const from = transaction.changes.mapPos(now.from, 1);
      const to = transaction.changes.mapPos(now.to, -1);
      now = transaction.changes.touchesRange(now.from, now.to) === false && from < to ? { ...now, from, to } : null;
    }
    for (const effect of transaction.effects) if (effect.is(markFailing)) now = effect.value;
    return now;
  },
  provide: (field) => EditorView.decorations.from(field, (place): DecorationSet => (place === null ? Decoration.none : Decoration.set([underline.range(place.from, place.to)]))),
});

const tooltip = hoverTooltip((view, position) => {
  const place = view.state.field(failing);
  if (place === null || position < place.from || position > place.to) return null;
  return {
    pos: place.from,
    end: place.to,
    create() {
      const dom = document.createElement("div");
      dom.className = "cm-failing-message";
      dom.textContent = place.message;
      return { dom };
    },
  };
});

/** What an editor needs to show a failing place. */
export const failingPlace: Extension = [failing, tooltip];
