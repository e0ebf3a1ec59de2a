/** Reported while a log is being read. */
export interface Progress {
  /** The last entry processed. */
  readonly seq: number;
  readonly fromSeq: number;
  /** Undefined if the end is unknown. */
  readonly toSeq: number | undefined;
}

export type OnProgress = (progress: Progress) => void;
