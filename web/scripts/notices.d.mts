/** What `notices.mjs` gives the page's build. */
import type { Metafile } from "esbuild";
import type { Plugin } from "vite";

export declare const siteNotices: (folder: string) => {
  readonly collect: () => Plugin;
  /** Hears of a script that another bundler made. */
  readonly used: (metafile: Metafile) => void;
  readonly write: Plugin;
};
