/** Which accounts are in margin call and which hold most, for operators (OPS-1). */

import { setImmediate } from 'node:timers/promises';
import {
  type Account,
  isStopped,
  openProposals,
  type Risk,
  recentMedianMicros,
  riskOf,
  SETTLE_PROPOSAL_MS,
  type SettleProposal,
  type State,
  stopEndMs,
} from '@venue/engine';
import {
  ExactSum,
  type ExposedAccount,
  type ExposedExpiry,
  type ExposureReport,
  type JumpStop,
  MICROS_PER_UNIT,
  type Micros,
  microsToDecimal,
  type OpenProposal,
} from '@venue/protocol';
import { EXPOSED_MAX } from '@venue/protocol/wire';
import { expiryView, openExpiries } from './exposure-of-expiry.ts';

/** How long a report is shown to everybody who asks: reading all accounts is no work for every reader. */
const KEPT_MS = 1_000;
/** How long a pass holds the event loop at a stretch; orders have their turn in between. */
const TURN_MS = 1;

interface Exposed {
  readonly account: Account;
  readonly risk: Risk;
  readonly exposureMicros: Micros;
  readonly positions: number;
}

/** Reads every account at most once a second, however many ask, and changes nothing. */
export class ExposureReports {
  readonly #state: State;
  readonly #now: () => number;
  #made: ExposureReport | null = null;
  /** By the monotonic clock. */
  #madeAtMs = 0;
  #making: Promise<ExposureReport> | null = null;

  constructor(state: State, now: () => number) {
    this.#state = state;
    this.#now = now;
  }

  /** The report, at most a second old. */
  read(): Promise<ExposureReport> {
    if (this.#made !== null && performance.now() - this.#madeAtMs < KEPT_MS)
      return Promise.resolve(this.#made);
    this.#making ??= this.#make().finally(() => {
      this.#making = null;
    });
    return this.#making;
  }

  async #make(): Promise<ExposureReport> {
    const state = this.#state;
    const called = new Top<Exposed>(
      EXPOSED_MAX,
      ({ risk }) => risk.maintenanceMarginMicros - risk.equityMicros,
    );
    const largest = new Top<Exposed>(EXPOSED_MAX, ({ exposureMicros }) => exposureMicros);
    const turns = new Turns();
    for (const account of state.accounts) {
      if (turns.isOver) await turns.next();
      if (account.role !== 'trader') continue;
      const exposed = exposedOf(state, account);
      if (exposed.positions > 0) largest.add(exposed);
      if (exposed.risk.isCalled) called.add(exposed);
    }
    const expiries: ExposedExpiry[] = [];
    for (const series of openExpiries(state)) {
      if (turns.isOver) await turns.next();
      expiries.push(expiryView(state, series));
    }
    const view = (exposed: Exposed) => exposedView(state, exposed);
    this.#made = {
      ts: this.#now(),
      calledCount: called.count,
      called: called.rows().map(view),
      heldCount: largest.count,
      largest: largest.rows().map(view),
      expiries,
      stops: stopsOf(state),
      proposals: openProposals(state).map(proposalView),
    };
    this.#madeAtMs = performance.now();
    return this.#made;
  }
}

class Turns {
  #beganMs = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#beganMs > TURN_MS;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.#beganMs = performance.now();
  }
}

function exposedOf(state: State, account: Account): Exposed {
  const exposure = new ExactSum();
  let positions = 0;
  for (const { qtyMicros, series } of account.positions) {
    if (qtyMicros === 0) continue;
    positions += 1;
    exposure.addMulDivFloor(Math.abs(qtyMicros), series.instrument.spotMicros, MICROS_PER_UNIT);
  }
  return { account, risk: riskOf(state, account), exposureMicros: exposure.clamped(), positions };
}

function exposedView(
  { quoteSets }: State,
  { account, risk, exposureMicros, positions }: Exposed,
): ExposedAccount {
  return {
    address: account.address!,
    equity: microsToDecimal(risk.equityMicros),
    requirement: microsToDecimal(risk.lockedMicros),
    maintenance: microsToDecimal(risk.maintenanceMarginMicros),
    exposure: microsToDecimal(exposureMicros),
    calledSince: risk.isCalled ? account.calledSince : null,
    positions,
    quoteSets: quoteSets.of(account.index).length,
  };
}

function stopsOf({ instruments, ts }: State): JumpStop[] {
  return [...instruments.values()].flatMap((instrument) => {
    const { symbol, spotMicros, jump } = instrument;
    const median = recentMedianMicros(instrument, ts);
    if (jump === null || median === null || !isStopped(instrument, ts)) return [];
    const prices = { spot: microsToDecimal(spotMicros), median: microsToDecimal(median) };
    return [{ symbol, ...prices, since: jump.sinceTs, until: stopEndMs(jump) }];
  });
}

function proposalView({ id, secret, by, target, ts }: SettleProposal): OpenProposal {
  const named = 'seriesId' in target ? target : { seriesId: null };
  const { symbol, expiryTs } = 'symbol' in target ? target : { symbol: null, expiryTs: null };
  return {
    ...{ id, secret, ...(by !== undefined && { by }) },
    ...{ seriesId: named.seriesId, symbol, expiryTs, ts, expiresAt: ts + SETTLE_PROPOSAL_MS },
  };
}

/** The greatest of many rows, in room for twice as many as are kept. */
class Top<Row> {
  readonly #max: number;
  readonly #by: (row: Row) => number;
  #rows: Row[] = [];
  /** Rows ever added. */
  count = 0;

  constructor(max: number, by: (row: Row) => number) {
    this.#max = max;
    this.#by = by;
  }

  add(row: Row): void {
    this.count += 1;
    this.#rows.push(row);
    if (this.#rows.length >= 2 * this.#max) this.#rows = this.rows();
  }

  /** The greatest first; of equals the one that was added first. */
  rows(): Row[] {
    return this.#rows.toSorted((a, b) => this.#by(b) - this.#by(a)).slice(0, this.#max);
  }
}
