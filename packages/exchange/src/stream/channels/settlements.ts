/** The channel of settlement prices of all underlyings, and of the expiries that await review. */

import type { Decision, State } from '@venue/engine';
import { refusedView, settlementView } from '../../views/settlements.ts';
import { type Change, type Content, NO_CHANGES } from './content.ts';

/** Settled expiries in a snapshot, the newest; `GET /v1/settlements` has more of each underlying. */
const SHOWN = 100;

export class SettlementsContent implements Content {
  /** No decision is taken back. */
  readonly version = 0;
  readonly #state: State;
  /** The last known state of each decision: its price, or null while it awaits review. */
  #known: ReadonlyMap<Decision, number | null>;
  #maintainedTs: number;
  #attempts: number;

  constructor(state: State) {
    this.#state = state;
    this.#known = decisionsOf(state);
    this.#maintainedTs = state.lastMaintenanceTs;
    this.#attempts = state.audit.count;
  }

  snapshot(): string {
    const decisions = [...this.#known.keys()];
    const settled = decisions
      .filter(({ priceMicros }) => priceMicros !== null)
      .sort((a, b) => a.decidedAt! - b.decidedAt! || a.expiryTs - b.expiryTs)
      .slice(-SHOWN);
    const refused = decisions.filter(({ priceMicros }) => priceMicros === null);
    const list = (rows: readonly Decision[]) => rows.map((row) => changeOf(row).json).join(',');
    return `"settlements":[${list(settled)}],"refused":[${list(refused)}]`;
  }

  /** Ticks decide, and people, whose every attempt is in the audit. */
  changes(): readonly Change[] {
    const { lastMaintenanceTs, audit } = this.#state;
    if (lastMaintenanceTs === this.#maintainedTs && audit.count === this.#attempts) return NO_CHANGES;
    this.#maintainedTs = lastMaintenanceTs;
    this.#attempts = audit.count;
    const before = this.#known;
    this.#known = decisionsOf(this.#state);
    return [...this.#known]
      .filter(([decision, price]) => before.get(decision) !== price)
      .map(([decision]) => changeOf(decision));
  }
}

function decisionsOf(state: State): ReadonlyMap<Decision, number | null> {
  const known = new Map<Decision, number | null>();
  for (const { decisions } of state.instruments.values())
    for (const decision of decisions.values()) known.set(decision, decision.priceMicros);
  return known;
}

/** A settlement takes the place of the refusal of the same expiry. */
function changeOf(decision: Decision): Change {
  const { priceMicros, instrument, expiryTs } = decision;
  const key = `${instrument.symbol} ${expiryTs}`;
  return priceMicros === null
    ? { member: 'refused', key, json: JSON.stringify(refusedView(decision)) }
    : { member: 'settlements', key, json: JSON.stringify(settlementView(decision, priceMicros)) };
}
