/** One simulation: engine and model apply the same seeded entries and must agree after each of them. */

import { continueSettlement, startSettlement } from '../src/expiry/settlement.ts';
import {
  apply,
  brokenInvariants,
  createState,
  decodeCommand,
  type Entry,
  encodeCommand,
  isRefused,
  NO_EFFECTS,
  type PrintRow,
  restoreState,
  stateDigest,
  stateLines,
} from '../src/index.ts';
import { continueLiquidation, startLiquidation } from '../src/liquidation/liquidation.ts';
import type { State } from '../src/state/state.ts';
import { actionCases, closeCases } from './batch-coverage.ts';
import { assertStillPaid, paidFor } from './cover-invariants.ts';
import { caseOf, situationsOf } from './coverage.ts';
import { describeState, plainOutcome } from './describe.ts';
import type { Description, PlainOutcome } from './description.ts';
import { difference } from './difference.ts';
import { type Foresight, foresee, surprises } from './foresight.ts';
import { LEVELS } from './generate/asides.ts';
import { Generator } from './generate.ts';
import { assertAuditChain, assertInvariants, assertProgress } from './invariants.ts';
import { assertSpared } from './jump-invariants.ts';
import { Model } from './model.ts';
import { Recorder } from './recorder.ts';
import { assertBounds, assertSetFills } from './set-invariants.ts';
import { SpreadFlow } from './spread-flow.ts';

export interface Report {
  readonly seed: number;
  /** True if the venue ran with custody. */
  readonly custody: boolean;
  /** The entries applied, including the failing one. */
  readonly entries: readonly Entry[];
  /** How often each case and situation of `coverage.ts` occurred. */
  readonly counts: ReadonlyMap<string, number>;
  /** The failure and the last entries before it; null if there was none. */
  readonly failure: string | null;
}

const NOTHING: Description = {
  venue: null,
  featureLevel: 1,
  challenges: [],
  parked: [],
  parkedAnswers: [],
  accounts: [],
  series: [],
  instruments: [],
  decisions: [],
  audit: [],
  proposals: [],
  custody: {
    ...{ deposits: [], payouts: [], pending: 0, committed: 0, deposited: 0, houseFunded: 0 },
    ...{ binding: null, bindRequests: [], epoch: 0, halted: null, doubted: [], frozenWithdrawals: [] },
  },
};

const ENTRIES_SHOWN = 5;

/** By default every third seed runs a venue in deposits mode. */
export function hasCustody(seed: number): boolean {
  return seed % 3 === 0;
}

/**
 * Runs a seed for a number of entries. The same arguments always give the same report.
 *
 * @example simulate(17, 150).failure // null
 */
export function simulate(seed: number, steps: number, custody = hasCustody(seed)): Report {
  return { seed, custody, ...reportOn(steps, (model) => new Generator(seed, model, custody, LEVELS.length)) };
}

/** The same for a few hostile accounts in defined-risk mode. */
export function simulateSpreads(seed: number, steps: number): Report {
  return { seed, custody: false, ...reportOn(steps, (model) => new SpreadFlow(seed, model)) };
}

/** The same for recorded entries. Returns the failure and the last entries before it, or null. */
export function simulateLog(log: readonly Entry[]): string | null {
  const entries = log.values();
  return reportOn(log.length, () => ({ next: () => entries.next().value! })).failure;
}

/** Makes one entry after the other. */
interface Flow {
  next(): Entry;
}

function reportOn(steps: number, flowOf: (model: Model) => Flow): Omit<Report, 'seed' | 'custody'> {
  const run = new Run(flowOf);
  let failure: string | null = null;
  while (failure === null && run.entries.length < steps) failure = run.step();
  failure ??= thrown(() => replayFailure(run.entries, run));
  const { entries, counts } = run;
  return { entries, counts, failure: failure && run.explain(failure) };
}

/** The result of the check, or the error it throws. */
function thrown(check: () => string | null): string | null {
  try {
    return check();
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

class Run {
  readonly state = createState(LEVELS);
  readonly entries: Entry[] = [];
  readonly counts = new Map<string, number>();
  readonly #model = new Model();
  readonly #flow: Flow;
  readonly #recorder = new Recorder();
  /** Accounts that an adopted payout was taken from since the last maintenance. */
  readonly debited = new Set<number>();
  #described: Description = NOTHING;

  constructor(flowOf: (model: Model) => Flow) {
    this.#flow = flowOf(this.#model);
  }

  /** Applies one entry to both. Returns the difference, or null. */
  step(): string | null {
    const entry = this.#flow.next();
    this.entries.push(entry);
    const outcome = this.#model.apply(entry);
    const before = this.#described;
    this.#described = this.#model.describe();
    const situations = situationsOf(outcome, before, this.#described);
    this.#count([caseOf(entry.command.kind, outcome), ...situations, ...this.#model.notes]);
    this.#count([...actionCases(outcome), ...closeCases(this.#model.describeEvents())]);
    return thrown(() => this.#compare(entry, outcome, before));
  }

  #compare(entry: Entry, expected: PlainOutcome, before: Description): string | null {
    this.#recorder.clear();
    const foresight = foresee(this.state, entry);
    const paid = paidFor(this.state);
    const outcome = apply(this.state, entry, this.#recorder);
    const described = describeState(this.state);
    const differences = [
      ...difference(plainOutcome(this.state, outcome, entry.command.kind), expected),
      ...difference(described, this.#described),
      ...difference(this.#recorder.events(), this.#model.describeEvents()),
      ...this.#recorder.unannounced(described),
      ...this.#surprises(foresight, outcome),
    ];
    if (differences.length > 0) return differences.join('\n');
    this.#noteDebit(entry);
    assertInvariants(this.state, this.debited);
    assertStillPaid(
      this.state,
      paid.filter(({ account }) => !this.debited.has(account.index)),
    );
    assertProgress(before, described);
    const { command } = entry;
    const { fills } = this.#recorder;
    assertSetFills(before, described, fills, { command, debited: this.debited });
    assertSpared(before, { after: described, outcome: expected, fills });
    assertBounds(before, this.state, { command, outcome, fills });
    return null;
  }

  /** Adopting a payout takes what the chain has paid out of its account, into debt if need be (CUS-4). */
  #noteDebit({ command }: Entry): void {
    if (command.kind === 'maintain') this.debited.clear();
    if (command.kind !== 'adopt') return;
    const account = this.state.accountByAddress.get(command.address);
    if (account !== undefined) this.debited.add(account.index);
  }

  /** An order with a refused signature never got as far as its preview. */
  #surprises(foresight: Foresight | null, outcome: object): string[] {
    if (foresight === null || isRefused(outcome)) return [];
    this.#count(['order as previewed']);
    const fills = this.#recorder.fills.map(({ fill }) => fill);
    return surprises(this.state, foresight, { outcome, fills });
  }

  #count(words: readonly string[]): void {
    for (const word of words) this.counts.set(word, (this.counts.get(word) ?? 0) + 1);
  }

  explain(failure: string): string {
    const last = this.entries.slice(-ENTRIES_SHOWN).map((entry) => JSON.stringify(entry));
    return [`entry ${this.entries.length}:`, failure, 'last entries:', ...last].join('\n');
  }
}

/**
 * Replays the entries from their bytes, with a snapshot half way, and compares the two states. Then settles and
 * liquidates one state in a single slice and the other in the smallest slices, which must give the same result.
 */
function replayFailure(
  entries: readonly Entry[],
  { state, debited }: Pick<Run, 'state' | 'debited'>,
): string | null {
  let replayed = createState(LEVELS);
  for (const { seq, ts, command } of entries) {
    apply(replayed, { seq, ts, command: decodeCommand(command.kind, encodeCommand(command)) }, NO_EFFECTS);
    if (seq === entries.length >> 1) replayed = restoreState(stateLines(replayed), LEVELS);
  }
  const lines = difference(describeState(replayed), describeState(state));
  if (stateDigest(replayed) !== stateDigest(state)) lines.push('the digests of state and replay differ');
  assertAuditChain(replayed);
  assertInvariants(replayed, debited);
  lines.push(...brokenInvariants(replayed));
  const prints = lastPrints(state);
  for (const [which, sliceWork] of [
    [state, Number.POSITIVE_INFINITY],
    [replayed, 1],
  ] as const) {
    settleNextExpiry(which, prints, sliceWork);
    liquidateTwice(which, sliceWork);
  }
  lines.push(
    ...difference(describeState(replayed), describeState(state)).map((line) => `in slices: ${line}`),
  );
  if (stateDigest(replayed) !== stateDigest(state))
    lines.push('settlement or liquidation in slices ends otherwise');
  return lines.length === 0 ? null : ['replay:', ...lines].join('\n');
}

/** At the next cutoff, after every source has printed again, so that most oracles have a price. */
function settleNextExpiry(state: State, prints: readonly PrintRow[], sliceWork: number): void {
  const cutoffs = state.series.map(({ cutoffMs }) => cutoffMs).filter((cutoffMs) => cutoffMs > state.ts);
  if (cutoffs.length === 0) return;
  const ts = Math.min(...cutoffs);
  apply(state, { seq: state.seq + 1, ts, command: { kind: 'prints', prints } }, NO_EFFECTS);
  apply(state, { seq: state.seq + 1, ts: ts + 1, command: { kind: 'prints', prints: [] } }, NO_EFFECTS);
  startSettlement(state, NO_EFFECTS);
  while (state.settling!.length > 0) continueSettlement(state, NO_EFFECTS, sliceWork);
  state.settling = null;
}

function lastPrints(state: State): PrintRow[] {
  return [...state.instruments.values()].flatMap(({ symbol, sources }) =>
    [...sources.values()].map(({ source, priceMicros }) => ({ symbol, source, priceMicros })),
  );
}

/** The second tick liquidates accounts in margin call. */
function liquidateTwice(state: State, sliceWork: number): void {
  for (let tick = 0; tick < 2; tick++) {
    startLiquidation(state);
    while (continueLiquidation(state, NO_EFFECTS, sliceWork));
  }
}
