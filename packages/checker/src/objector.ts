/** The checker's objections to batches that do not follow: votes against them or their proposer, and pauses (CUS-18). */

import type { Address, Hex } from '@venue/protocol';
import {
  type BatchView,
  type Block,
  ChainError,
  each,
  type Gate,
  type GateSender,
  type Hash,
  pauseCall,
  proposerIdOf,
  usdText,
  vetoCall,
} from '@venue/vault/parts';
import type { Verdict } from './judge.ts';
import type { OwnVotes } from './own-votes.ts';

/** A batch that does not follow, and is to be objected to now. */
export interface Objection {
  readonly batch: BatchView;
  readonly verdict: Exclude<Verdict, { kind: 'follows' }>;
}

export interface ObjectorParts {
  readonly gate: Gate;
  readonly sender: Pick<GateSender, 'isWaiting' | 'send' | 'settle'>;
  readonly votes: Pick<OwnVotes, 'has' | 'isSent' | 'noteSent' | 'advance'>;
  readonly log: (line: string) => void;
}

/** More batches than this that do not follow and stand are more than guardians can be expected to vote against in time. */
const STANDING_MAX = 5;
/** A pause that the gate refused is asked for again only after this time. */
const PAUSE_AGAIN_SECONDS = 3_600;

export class Objector {
  readonly #parts: ObjectorParts;
  /** Committed batches, and proposers, that a person was told of. */
  readonly #told = new Set<string>();
  #pauseAskedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ObjectorParts) {
    this.#parts = parts;
  }

  /** Objects to all of these at once: no vote waits for another to be mined. */
  async object(objections: readonly Objection[], announced: readonly Hash[], head: Block): Promise<void> {
    const { sender, votes } = this.#parts;
    await sender.settle();
    await votes.advance(head);
    const { ids: proposers, ended } = await this.#proposers(objections, head);
    const standing = objections.filter(
      ({ batch: { state, proposer } }) => (state === 'waits' || state === 'due') && !ended.has(proposer),
    );
    const calls = [...proposers, ...(await this.#announced(announced, head)), ...this.#batches(standing)];
    const isTooLate = this.#tellCommitted(objections);
    const pause = isTooLate || standing.length > STANDING_MAX ? await this.#pause(head) : [];
    await this.#send(calls, pause);
  }

  /**
   * The proposers to vote against, and those whom that vote or an earlier one ends: nothing of theirs can be committed,
   * so no vote is spent on it.
   */
  async #proposers(
    objections: readonly Objection[],
    head: Block,
  ): Promise<{ readonly ids: readonly Hash[]; readonly ended: ReadonlySet<Address> }> {
    const { gate, votes, sender } = this.#parts;
    const ids: Hash[] = [];
    const ended = new Set<Address>();
    for (const { batch, verdict } of objections) {
      const { proposer } = batch;
      const id = proposerIdOf(proposer);
      if (verdict.kind !== 'wrong' || ended.has(proposer) || ids.includes(id)) continue;
      if (!(await gate.isProposer(proposer, head.number))) {
        ended.add(proposer);
        continue;
      }
      this.#tellOfProposer(batch, verdict.why);
      const isFresh = !votes.has(id);
      if (isFresh) ids.push(id);
      const needed = (await gate.vetoes(head.number)) - (await gate.votesAgainst(id, head.number));
      if (needed <= 1 && (isFresh || sender.isWaiting(vetoCall(id)))) ended.add(proposer);
    }
    return { ids, ended };
  }

  /**
   * Those that take a vote now. One that has this guardian's vote and enough of others is an operation that was vetoed and
   * is announced again: each vote cancels it once.
   */
  async #announced(ids: readonly Hash[], { number }: Block): Promise<readonly Hash[]> {
    const { gate, votes } = this.#parts;
    const needed = await gate.vetoes(number);
    const isEnough = async (id: Hash): Promise<boolean> =>
      (await gate.isVetoed(id, number)) && (await gate.votesAgainst(id, number)) >= needed;
    const isDue = async (id: Hash): Promise<boolean> =>
      !votes.has(id) || (!votes.isSent(id) && (await isEnough(id)));
    const due = await each(ids, isDue);
    return ids.filter((_, i) => due[i]);
  }

  #tellOfProposer({ id, total, proposer }: BatchView, why: string): void {
    if (this.#told.has(proposer)) return;
    this.#told.add(proposer);
    this.#parts.log(
      `ALARM: batch ${id} of ${usdText(total)} does not follow, voting against its proposer ${proposer} and all that ` +
        `it has proposed: ${why}`,
    );
  }

  /** The largest first, as what is taken before the last vote should be little. */
  #batches(standing: readonly Objection[]): readonly Hash[] {
    const { votes, log } = this.#parts;
    const due = standing.filter(({ batch }) => !votes.has(batch.id));
    due.sort((a, b) => Number(b.batch.total > a.batch.total) - Number(b.batch.total < a.batch.total));
    for (const { batch, verdict } of due)
      log(`ALARM: batch ${batch.id} of ${usdText(batch.total)} does not follow, vetoing it: ${verdict.why}`);
    return due.map(({ batch }) => batch.id);
  }

  /**
   * Tells of batches that were within the free allowance, or that nobody objected to in time. True if one is new and
   * nothing more may leave for a while; what merely waits for a person is no reason to stop everybody.
   */
  #tellCommitted(objections: readonly Objection[]): boolean {
    const fresh = objections.filter(({ batch }) => batch.state === 'committed' && !this.#told.has(batch.id));
    for (const { batch, verdict } of fresh) {
      this.#told.add(batch.id);
      const pausing = verdict.kind === 'held' ? '' : ', pausing';
      this.#parts.log(
        `ALARM: batch ${batch.id} of ${usdText(batch.total)} is committed and does not follow${pausing}: ${verdict.why}`,
      );
    }
    return fresh.some(({ verdict }) => verdict.kind !== 'held');
  }

  async #pause({ number, timestampSeconds }: Block): Promise<readonly Hex[]> {
    const isPaused = (await this.#parts.gate.pausedUntil(number)) >= timestampSeconds;
    if (isPaused || timestampSeconds < this.#pauseAskedAt + PAUSE_AGAIN_SECONDS) return [];
    this.#pauseAskedAt = timestampSeconds;
    return [pauseCall()];
  }

  /** If the chain takes nothing, the next round tries again. */
  async #send(ids: readonly Hash[], pause: readonly Hex[]): Promise<void> {
    const { sender, votes, log } = this.#parts;
    try {
      await sender.send([...ids.slice(0, 1).map(vetoCall), ...pause, ...ids.slice(1).map(vetoCall)]);
      for (const id of ids) votes.noteSent(id);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      log(`ALARM: the gate was not told: ${error.message}`);
    }
  }
}
