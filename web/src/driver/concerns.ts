/**
 * Read preferences and concerns as values, by the names of the Node driver's classes: every option that takes one of
 * these as text or as an object takes them, too.
 *
 * Invariant: their fields are those that `settings.ts` reads, so that a value and an object of the same fields mean the
 * same.
 */
import type { Document } from "bson";
import { ReadConcernLevel, ReadPreferenceMode } from "./constants.ts";
import { MongoInvalidArgumentError } from "./errors.ts";

const isMode = (mode: unknown): mode is ReadPreferenceMode => Object.hasOwn(ReadPreferenceMode, String(mode));

/** Which members may answer a read. Here the only one answers all. */
export class ReadPreference {
  static readonly PRIMARY = ReadPreferenceMode.primary;
  static readonly PRIMARY_PREFERRED = ReadPreferenceMode.primaryPreferred;
  static readonly SECONDARY = ReadPreferenceMode.secondary;
  static readonly SECONDARY_PREFERRED = ReadPreferenceMode.secondaryPreferred;
  static readonly NEAREST = ReadPreferenceMode.nearest;
  static readonly primary = new ReadPreference("primary");
  static readonly primaryPreferred = new ReadPreference("primaryPreferred");
  static readonly secondary = new ReadPreference("secondary");
  static readonly secondaryPreferred = new ReadPreference("secondaryPreferred");
  static readonly nearest = new ReadPreference("nearest");

  readonly mode: ReadPreferenceMode;
  readonly tags: readonly Document[] | undefined;
  readonly maxStalenessSeconds: number | undefined;

  /** Throws for a mode that there is not, and for tags or a staleness where the primary alone may answer. */
  constructor(
    mode: ReadPreferenceMode,
    tags?: readonly Document[],
    options?: { readonly maxStalenessSeconds?: number },
  ) {
    if (!isMode(mode)) throw new MongoInvalidArgumentError(`Invalid read preference mode ${JSON.stringify(mode)}`);
    const { maxStalenessSeconds } = options ?? {};
    if (maxStalenessSeconds !== undefined && maxStalenessSeconds <= 0)
      throw new MongoInvalidArgumentError("maxStalenessSeconds must be a positive integer");
    if (mode === "primary" && tags !== undefined && tags.length > 0)
      throw new MongoInvalidArgumentError("Primary read preference cannot be combined with tags");
    if (mode === "primary" && maxStalenessSeconds !== undefined)
      throw new MongoInvalidArgumentError("Primary read preference cannot be combined with maxStalenessSeconds");
    this.mode = mode;
    this.tags = tags;
    this.maxStalenessSeconds = maxStalenessSeconds;
  }

  static fromString(mode: string): ReadPreference {
    return new ReadPreference(mode as ReadPreferenceMode);
  }
  static isValid(mode: string): boolean {
    return isMode(mode);
  }
  isValid(mode: string = this.mode): boolean {
    return isMode(mode);
  }
  get preference(): ReadPreferenceMode {
    return this.mode;
  }
  /** Whether another member than the primary may answer. */
  secondaryOk(): boolean {
    return this.mode !== "primary";
  }
  equals(other: ReadPreference): boolean {
    return other.mode === this.mode;
  }
  toJSON(): Document {
    const { mode, tags, maxStalenessSeconds } = this;
    return {
      mode,
      ...(tags === undefined ? {} : { tags }),
      ...(maxStalenessSeconds === undefined ? {} : { maxStalenessSeconds }),
    };
  }
}

/** Which states a read may see. */
export class ReadConcern {
  static readonly MAJORITY = ReadConcernLevel.majority;
  static readonly AVAILABLE = ReadConcernLevel.available;
  static readonly LINEARIZABLE = ReadConcernLevel.linearizable;
  static readonly SNAPSHOT = ReadConcernLevel.snapshot;

  readonly level: ReadConcernLevel;

  constructor(level: ReadConcernLevel) {
    this.level = level;
  }
  toJSON(): Document {
    return { level: this.level };
  }
}

/** How a write is acknowledged. */
export class WriteConcern {
  readonly w?: number | string;
  readonly wtimeoutMS?: number;
  readonly journal?: boolean;

  /** `fsync` is the old name of `journal`. */
  constructor(w?: number | string, wtimeoutMS?: number, journal?: boolean, fsync?: boolean | 1) {
    if (w !== undefined && w !== null) this.w = Number.isNaN(Number(w)) || w === "" ? w : Number(w);
    if (wtimeoutMS !== undefined && wtimeoutMS !== null) this.wtimeoutMS = wtimeoutMS;
    const stored = journal ?? (fsync === undefined ? undefined : Boolean(fsync));
    if (stored !== undefined && stored !== null) this.journal = stored;
  }
}
