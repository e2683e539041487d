/**
 * Defines custom elements once, also when two copies of this package meet on one page. On a server there is nothing to
 * define.
 */
export function defineElements(elements: Readonly<Record<string, CustomElementConstructor>>): void {
  const { customElements } = globalThis as { customElements?: CustomElementRegistry };
  if (customElements === undefined) return;
  for (const [name, element] of Object.entries(elements)) {
    if (customElements.get(name) === undefined) customElements.define(name, element);
  }
}
