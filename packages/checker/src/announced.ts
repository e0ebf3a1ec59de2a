/** Looks at what is announced on chain, and finds what no person has named (CUS-18). */

import {
  type Announced,
  type Announcements,
  type Block,
  type Gate,
  type Hash,
  isoTime,
} from '@venue/vault/parts';
import type { CheckerMetrics } from './metrics.ts';

export interface AnnouncedWatchParts {
  readonly gate: Pick<Gate, 'bounds'>;
  readonly announcements: Pick<Announcements, 'pending'>;
  readonly seen: ReadonlySet<string>;
  readonly metrics: Pick<CheckerMetrics, 'announced'>;
  readonly log: (line: string) => void;
}

export class AnnouncedWatch {
  readonly #parts: AnnouncedWatchParts;
  /** Texts that a person was shown, with their times: the same may be announced again. */
  readonly #told = new Set<string>();

  constructor(parts: AnnouncedWatchParts) {
    this.#parts = parts;
  }

  /** The ids to vote against now. Tells of everything that no person has named. */
  async advance(head: Block, settled: number): Promise<readonly Hash[]> {
    const { gate, announcements, seen, metrics } = this.#parts;
    const pending = await announcements.pending(head, settled);
    const named = new Set(pending.filter(({ kind, subject }) => seen.has(`${kind}:${subject}`)));
    metrics.announced(pending, named);
    const { changeDelay } = await gate.bounds();
    const unnamed = pending
      .filter((one) => !named.has(one))
      .map((one) => ({ ...one, voteAt: voteAtOf(one, changeDelay) }));
    for (const one of unnamed) this.#tell(one);
    return unnamed.filter(({ voteAt }) => head.timestampSeconds >= voteAt).map(({ id }) => id);
  }

  #tell({ kind, subject, text, readyAt, voteAt }: Announced & { readonly voteAt: number }): void {
    const key = `${kind}:${subject}:${readyAt}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    const from = kind === 'operation' ? '' : ` from ${isoTime(voteAt)} on`;
    this.#parts.log(
      `ALARM: ${kind} ${subject} is announced for ${isoTime(readyAt)}: ${text}; voting against it${from}, as ` +
        `VENUE_CHECKER_SEEN does not name ${kind}:${subject}`,
    );
  }
}

/**
 * Operations at once: their ids can be told before, and one that nobody stops may take everything. A proposer that was
 * voted against is lost for good and guardians have no name before they are announced, so a person has half of the delay.
 */
function voteAtOf({ kind, readyAt }: Announced, changeDelay: number): number {
  return kind === 'operation' ? 0 : readyAt - changeDelay / 2;
}
