/** How far the reading of a log is. */
export interface Progress {
  /** The last entry dealt with. */
  readonly seq: number;
  readonly fromSeq: number;
  /** Undefined where the end is not known. */
  readonly toSeq: number | undefined;
}

export type OnProgress = (progress: Progress) => void;
