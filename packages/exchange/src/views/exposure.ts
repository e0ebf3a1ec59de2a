/** Which accounts are in margin call and which hold most, for operators (OPS-1). */

import { setImmediate } from 'node:timers/promises';
import {
  type Account,
  type AccountIndex,
  openProposals,
  type Risk,
  riskOf,
  SETTLE_PROPOSAL_MS,
  type SettleProposal,
  type State,
} from '@venue/engine';
import {
  ExactSum,
  type ExposedAccount,
  type ExposureReport,
  MICROS_PER_UNIT,
  type Micros,
  microsToDecimal,
  type OpenProposal,
} from '@venue/protocol';
import { EXPOSED_MAX } from '@venue/protocol/wire';
import { expiriesOf } from './exposure-of-expiry.ts';

/** How long a report is shown to everybody who asks: reading all accounts is no work for every reader. */
const KEPT_MS = 1_000;
/** Accounts that are read in one turn, between which orders have theirs. */
const TURN_ACCOUNTS = 200;

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
  /** When this node first saw each account in call that still was at the last report. */
  #calledSince: ReadonlyMap<AccountIndex, number> = new Map();
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
    const since = new Map<AccountIndex, number>();
    for (const [n, account] of state.accounts.entries()) {
      if (n % TURN_ACCOUNTS === 0) await setImmediate();
      if (account.role !== 'trader') continue;
      const exposed = exposedOf(state, account);
      if (exposed.positions > 0) largest.add(exposed);
      if (!exposed.risk.isCalled) continue;
      called.add(exposed);
      since.set(account.index, this.#calledSince.get(account.index) ?? this.#now());
    }
    this.#calledSince = since;
    const view = (exposed: Exposed) => exposedView(state, exposed, since.get(exposed.account.index) ?? null);
    this.#made = {
      ts: this.#now(),
      calledCount: called.count,
      called: called.rows().map(view),
      heldCount: largest.count,
      largest: largest.rows().map(view),
      expiries: [...state.instruments.values()].flatMap((instrument) => expiriesOf(state, instrument)),
      proposals: openProposals(state).map(proposalView),
    };
    this.#madeAtMs = performance.now();
    return this.#made;
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
  calledSince: number | null,
): ExposedAccount {
  return {
    address: account.address!,
    equity: microsToDecimal(risk.equityMicros),
    requirement: microsToDecimal(risk.lockedMicros),
    maintenance: microsToDecimal(risk.maintenanceMarginMicros),
    exposure: microsToDecimal(exposureMicros),
    calledSince,
    positions,
    quoteSets: quoteSets.of(account.index).length,
  };
}

function proposalView({ id, secret, target, ts }: SettleProposal): OpenProposal {
  const named = 'seriesId' in target ? target : { seriesId: null };
  const { symbol, expiryTs } = 'symbol' in target ? target : { symbol: null, expiryTs: null };
  return { id, secret, seriesId: named.seriesId, symbol, expiryTs, ts, expiresAt: ts + SETTLE_PROPOSAL_MS };
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
