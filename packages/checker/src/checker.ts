/** One round of the checker: read the log, look at the gate, object to what does not follow (CUS-18). */

import type { Payout } from '@venue/engine';
import type { Address } from '@venue/protocol';
import {
  type BatchView,
  type Block,
  type Finality,
  type Gate,
  type Hash,
  type Proposals,
  usdText,
} from '@venue/vault/parts';
import type { AnnouncedWatch } from './announced.ts';
import type { AttestedApprovals } from './attested.ts';
import type { ChainEvents } from './chain-events.ts';
import type { CheckerConfig } from './config.ts';
import type { Copy } from './copy.ts';
import { overdrawnMicros, takesGains } from './gains.ts';
import { judgeBatch, type Verdict } from './judge.ts';
import type { Objection, Objector } from './objector.ts';

export interface CheckerParts {
  readonly gate: Gate;
  readonly vault: Address;
  readonly chainId: number;
  readonly proposals: Pick<Proposals, 'views'>;
  readonly copy: Pick<Copy, 'advance' | 'log'>;
  readonly events: ChainEvents;
  readonly attested: AttestedApprovals;
  readonly announced: AnnouncedWatch;
  readonly objector: Objector;
  readonly finality: Finality;
  readonly config: Pick<CheckerConfig, 'pollMs' | 'seen'>;
  readonly log: (line: string) => void;
  /** For lines about what was found in order. */
  readonly status: (line: string) => void;
}

export class Checker {
  readonly #parts: CheckerParts;
  /**
   * Batches that were found to follow. One that still waits is judged again each round: a deposit may turn out to be
   * invented, and a payout may be voided, after it was found to follow.
   */
  readonly #passed = new Set<Hash>();
  #general: string | null = null;
  #isOverdrawn = false;

  constructor(parts: CheckerParts) {
    this.#parts = parts;
  }

  /** Returns the time until the next round. */
  async round(): Promise<number> {
    const { gate, proposals, announced, objector, finality, config } = this.#parts;
    const head = await gate.chain.head();
    const settled = await finality.settled(head);
    const general = await this.#generalFault(head, settled);
    if (general !== null && general !== this.#general)
      this.#parts.log(`ALARM: ${general}: nothing follows from it`);
    if (general === null && this.#general !== null)
      this.#parts.log('going on: the log and the deposits agree again');
    this.#general = general;
    const { shortDelay } = await gate.bounds();
    const batches = await proposals.views(head);
    const objections = batches.flatMap((batch) => this.#look(batch, head, shortDelay) ?? []);
    await objector.object(objections, await announced.advance(head, settled), head);
    return config.pollMs;
  }

  /**
   * Why nothing at all follows: a log that is not proven, deposits that nobody made, or payouts given back after they
   * were committed.
   */
  async #generalFault(head: Block, settled: number): Promise<string | null> {
    const { copy, vault, chainId, events, attested } = this.#parts;
    const before = copy.log;
    const fault = await copy.advance();
    if (fault !== null) return `the copy of the log is not proven: ${fault.message}`;
    const { log } = copy;
    if (log !== before) this.#beginAgain(log.state.custody.epoch);
    await attested.advance(log.takeAttested(), log.trades, head.number);
    this.#lookAtHouse();
    await events.advance(settled);
    const inventedNow = () =>
      events.inventedMicros(log.state, log.depositsBefore({ chainId, vault }), head.number);
    const isFault = inventedNow() > 0n;
    if (isFault) await events.readDepositsAgain(settled);
    const invented = isFault ? inventedNow() : 0n;
    if (invented > 0n) return `the log credits deposits of ${usdText(invented)} that the chain does not show`;
    const payout = events.givenBack(log.state);
    return payout === null
      ? null
      : `the log gives back payout ${payout.payoutId}, which the vault has committed`;
  }

  /** Operators have restored an old copy: what was found of the log that it replaces is void. */
  #beginAgain(epoch: number): void {
    this.#parts.attested.restart();
    this.#passed.clear();
    this.#parts.log(`going on with the log of epoch ${epoch}, which was proven from its first entry`);
  }

  #lookAtHouse(): void {
    const overdrawn = overdrawnMicros(this.#parts.copy.log.state);
    if (overdrawn > 0n && !this.#isOverdrawn)
      this.#parts.log(
        `ALARM: house and maker have lost ${usdText(overdrawn)} more than they were funded with: payouts to accounts that ` +
          'take out more than they paid in wait for a person',
      );
    if (overdrawn === 0n && this.#isOverdrawn)
      this.#parts.log('going on: house and maker have lost no more than they were funded with');
    this.#isOverdrawn = overdrawn > 0n;
  }

  /** The objection to a batch at present, or null. */
  #look(batch: BatchView, head: Block, shortDelay: number): Objection | null {
    const { id, state } = batch;
    if (state === 'vetoed' || state === 'void' || state === 'expired') return null;
    if (state === 'committed' && this.#passed.has(id)) return null;
    const verdict = this.#judge(batch);
    if (verdict.kind === 'follows') {
      this.#pass(batch);
      return null;
    }
    // A copy that lags has half of the shortest delay to catch up, and a person to look.
    const canChange = verdict.kind === 'unknown' || verdict.kind === 'held';
    if (canChange && head.timestampSeconds < batch.proposedAt + shortDelay / 2) return null;
    return { batch, verdict };
  }

  #judge({ payouts }: BatchView): Verdict {
    const { copy, vault, chainId } = this.#parts;
    if (this.#general !== null) return { kind: 'refused', why: this.#general };
    const heldOf = (payout: Payout) => this.#heldOf(payout);
    return judgeBatch(copy.log.state, payouts, { place: { vault, chainId }, heldOf });
  }

  #heldOf(payout: Payout): string | null {
    const { copy, attested, config } = this.#parts;
    const { state, trades } = copy.log;
    if (config.seen.has(`payout:${payout.id}`)) return null;
    const why = attested.heldOf(payout.account.address!, trades);
    if (why !== null || !this.#isOverdrawn || payout.isOfHouse || !takesGains(state, payout)) return why;
    return `it takes gains that house and maker were not funded for (payout:${payout.id})`;
  }

  #pass({ id, payouts, total }: BatchView): void {
    if (this.#passed.has(id)) return;
    this.#passed.add(id);
    this.#parts.status(`batch ${id} follows: ${payouts.length} payouts, ${usdText(total)}`);
  }
}
