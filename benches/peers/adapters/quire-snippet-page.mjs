/** Quire's `<quire-snippet>`: scripts in the sandbox, in the worker that holds the engine. */
import "quiredb/element";

let snippet;

export default {
  async open() {
    await customElements.whenDefined("quire-snippet");
    snippet = document.body.appendChild(document.createElement("quire-snippet"));
    snippet.db = "bench";
  },
  async evaluate(source) {
    snippet.source = source;
    const told = new Promise((resolve, reject) => {
      snippet.addEventListener("result", ({ detail }) => resolve(detail.printed.join("\n")), { once: true });
      snippet.addEventListener("error", ({ detail }) => reject(new Error(detail.text)), { once: true });
    });
    void snippet.run();
    return told;
  },
  async close() {
    snippet.remove();
  },
};
