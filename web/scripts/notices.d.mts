/** What `notices.mjs` gives the page's build. */
import type { Plugin } from "vite";

export declare const siteNotices: (folder: string) => { readonly collect: () => Plugin; readonly write: Plugin };
