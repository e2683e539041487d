/**
 * Text that is typed over a selection, put in by the editor and not by the browser.
 *
 * Chromium keeps the look of text that it replaces over several lines in a `style` attribute, which the page's policy
 * refuses and tells in the console. Invariants: what reads typing (closing brackets) reads this, too; input methods are
 * left alone.
 */
import { EditorView } from "@codemirror/view";

export const typedOver = EditorView.domEventHandlers({
  beforeinput({ inputType, data, isComposing }, view) {
    const { state } = view;
    const { from, to, empty } = state.selection.main;
    if (inputType !== "insertText" || data === null || isComposing || view.composing || empty || state.readOnly)
      return false;
    const typed = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    const isTaken = state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, data, typed));
    if (!isTaken) view.dispatch(typed());
    return true;
  },
});
