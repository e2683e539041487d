/**
 * Elements of lessons and labs whose shadow roots have the styles of snippets, so that scripts and results look alike
 * in all of them.
 *
 * Invariant: they come before the element's own styles, which may say otherwise.
 */
import { LitElement } from "lit";
import { styles as snippetStyles } from "../../embed/styles.ts";

/** A session of a course or a lab, which tells its followers of changes. */
interface Session {
  subscribe(follow: () => void): () => void;
}

export abstract class SnippetStyled extends LitElement {
  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot() as ShadowRoot;
    root.adoptedStyleSheets = [snippetStyles(), ...root.adoptedStyleSheets];
    return root;
  }
}

/** The whole view of a session, drawn anew with each of its changes while it is in the page. */
export abstract class SessionView extends SnippetStyled {
  abstract readonly session: Session;
  #unsubscribe: (() => void) | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unsubscribe = this.session.subscribe(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe?.();
  }
}
