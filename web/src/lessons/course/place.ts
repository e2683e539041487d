/** What a course needs of the page that it is in: files, engines, and storage for the reader's work. */
import type { QuireClient } from "../../client/client.ts";
import type { WorkStorage } from "./kept-work.ts";

export type CourseClient = Pick<QuireClient, "run" | "command" | "commandBytes" | "more" | "close">;

/** The page's part of a session: files, an engine, and storage for the work. */
export interface CoursePlace {
  /** A file of the course, by its path beside `course.json`. */
  read(path: string): Promise<string>;
  openClient(): Promise<CourseClient>;
  /** Null where nothing can be kept. */
  readonly storage: WorkStorage | null;
  /** The page's clock, in milliseconds since 1970. */
  now?(): number;
  /** Tells when another tab changed the storage, with the name of the entry, null for all; gives how to end it. */
  heed?(heard: (key: string | null) => void): () => void;
}
