/**
 * Shows the progress of reading a log, on the standard error stream: a bar on a terminal, one line a second
 * elsewhere.
 */

import type { OnProgress, Progress } from '@venue/audit';

export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressBar {
  readonly onProgress: OnProgress;
  /** Removes the bar from the terminal. */
  end(): void;
}

const BAR_MS = 100;
const LINE_MS = 1_000;
const BAR_WIDTH = 30;

/** `word` says what is being done; `now` is in ms. */
export function progressBar(
  word: string,
  output: ProgressOutput = process.stderr,
  now: () => number = () => performance.now(),
): ProgressBar {
  const isTerminal = output.isTTY === true;
  const startedMs = now();
  // A bar appears immediately; a line only if there is a wait.
  let shownMs = isTerminal ? Number.NEGATIVE_INFINITY : startedMs;
  return {
    onProgress(progress) {
      const nowMs = now();
      if (nowMs - shownMs < (isTerminal ? BAR_MS : LINE_MS)) return;
      shownMs = nowMs;
      const done = progress.seq - progress.fromSeq + 1;
      const text = `${word} ${describe(progress, Math.round((done * 1_000) / Math.max(nowMs - startedMs, 1)))}`;
      output.write(isTerminal ? `\r\x1b[K${bar(progress)}${text}` : `${text}\n`);
    },
    end() {
      if (isTerminal) output.write('\r\x1b[K');
    },
  };
}

function describe(progress: Progress, perSecond: number): string {
  const { seq, toSeq } = progress;
  const share = shareOf(progress);
  const of = toSeq === undefined ? '' : ` of ${toSeq}`;
  const percent = share === undefined ? '' : `, ${(share * 100).toFixed(1)} %`;
  return `entry ${seq}${of}${percent}, ${perSecond} entries/s`;
}

function bar(progress: Progress): string {
  const share = shareOf(progress);
  if (share === undefined) return '';
  const filled = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] `;
}

function shareOf({ seq, fromSeq, toSeq }: Progress): number | undefined {
  if (toSeq === undefined || toSeq < fromSeq) return undefined;
  return Math.min(Math.max((seq - fromSeq + 1) / (toSeq - fromSeq + 1), 0), 1);
}
