/**
 * Places in a script where something is wrong: where the last run failed, and where the syntax is wrong as it stands. A
 * wavy line under each, its line's number coloured, its message when pointed at.
 *
 * Invariants: at most one place of each kind is marked; an edit moves a mark with its text, and an edit inside the
 * place of a run takes it away (the syntax is read again anyway); a run that failed for its syntax is not marked twice.
 */
import { RangeSet, StateEffect, StateField, type EditorState, type Extension } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  gutterLineClass,
  GutterMarker,
  hoverTooltip,
  type DecorationSet,
} from "@codemirror/view";

export interface FailingPlace {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** Marks where a run failed, or nothing. */
export const markFailing = StateEffect.define<FailingPlace | null>();
/** Marks where the syntax is wrong, or nothing. */
export const markSyntax = StateEffect.define<FailingPlace | null>();

interface Places {
  readonly run: FailingPlace | null;
  readonly syntax: FailingPlace | null;
}

const underline = Decoration.mark({ class: "cm-failing" });
const numbered = new (class extends GutterMarker {
  override elementClass = "cm-failing-line";
})();

const failing = StateField.define<Places>({
  create: () => ({ run: null, syntax: null }),
  update(places, transaction) {
    let { run, syntax } = places;
    if (transaction.docChanged) {
      run = moved(run, transaction.changes, true);
      syntax = moved(syntax, transaction.changes, false);
    }
    for (const effect of transaction.effects) {
      if (effect.is(markFailing)) run = effect.value;
      else if (effect.is(markSyntax)) syntax = effect.value;
    }
    return run === places.run && syntax === places.syntax ? places : { run, syntax };
  },
  provide: (field) => [
    EditorView.decorations.from(
      field,
      (places): DecorationSet =>
        Decoration.set(
          shown(places).map(({ from, to }) => underline.range(from, to)),
          true,
        ),
    ),
    gutterLineClass.compute([field], (state) =>
      RangeSet.of(
        shown(state.field(field)).map(({ from }) => numbered.range(state.doc.lineAt(from).from)),
        true,
      ),
    ),
  ],
});

function moved(
  place: FailingPlace | null,
  changes: { mapPos(at: number, side: number): number; touchesRange(from: number, to: number): boolean | "cover" },
  fixed: boolean,
): FailingPlace | null {
  if (place === null || (fixed && changes.touchesRange(place.from, place.to) !== false)) return null;
  const from = changes.mapPos(place.from, 1);
  const to = changes.mapPos(place.to, -1);
  return from < to ? { ...place, from, to } : null;
}

function shown({ run, syntax }: Places): readonly FailingPlace[] {
  return [run !== null && syntax !== null && run.message.startsWith("SyntaxError") ? null : run, syntax].filter(
    (place) => place !== null && place.to > place.from,
  ) as FailingPlace[];
}

/** Where the syntax is wrong, as it is marked now. */
export function syntaxPlace(state: EditorState): FailingPlace | null {
  return state.field(failing).syntax;
}

const tooltip = hoverTooltip((view, position) => {
  const here = shown(view.state.field(failing)).filter(({ from, to }) => from <= position && position <= to);
  const [place] = here;
  if (place === undefined) return null;
  return {
    pos: place.from,
    end: place.to,
    create() {
      const dom = document.createElement("div");
      dom.className = "cm-failing-message";
      dom.textContent = here.map(({ message }) => message).join("\n");
      return { dom };
    },
  };
});

/** The extension that shows the places of errors in an editor. */
export const failingPlace: Extension = [failing, tooltip];
