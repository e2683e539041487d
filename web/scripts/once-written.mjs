/**
 * A plugin of the page's build that works on the written folder, once all else is in it.
 *
 * Invariant: of a build that failed it does nothing. Bundlers close a failed build too, and a plugin that then misses
 * the files would hide the build's own error behind its own.
 */

/** The plugin of a name; `work` is done once the bundler has written its files, in the order of the plugins. */
export function onceWritten(name, work) {
  let isWritten = false;
  return {
    name,
    apply: "build",
    buildStart() {
      isWritten = false;
    },
    writeBundle() {
      isWritten = true;
    },
    closeBundle: {
      order: "post",
      sequential: true,
      async handler() {
        if (isWritten) await work();
      },
    },
  };
}
