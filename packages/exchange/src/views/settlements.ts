/** Settlement decisions, and the audit of settlements by hand, as clients see them (OWN-47). */

import type { AuditLog, Decision, Instrument, SourceAverage } from '@venue/engine';
import {
  type AuditEntry,
  type AuditRecord,
  type Micros,
  microsToDecimal,
  type RefusedExpiry,
  type Settlement,
  type SettlementList,
  type SettlementSource,
} from '@venue/protocol';

const SETTLEMENTS_SHOWN = 500;
const AUDIT_SHOWN = 1_000;

/** The settled expiries of an underlying and, if there are any, those that await review (ORA-2). */
export function settlementsView({ decisions }: Instrument): SettlementList {
  const settlements: Settlement[] = [];
  const refused: RefusedExpiry[] = [];
  for (const decision of decisions.values()) {
    if (decision.priceMicros === null) refused.push(refusedView(decision));
    else settlements.push(settlementView(decision, decision.priceMicros));
  }
  settlements.sort((a, b) => b.decidedAt - a.decidedAt || b.expiryTs - a.expiryTs);
  refused.sort((a, b) => b.refusedAt - a.refusedAt || b.expiryTs - a.expiryTs);
  return {
    settlements: settlements.slice(0, SETTLEMENTS_SHOWN),
    ...(refused.length > 0 && { refused }),
  };
}

/** One expiry that has its price. */
export function settlementView(decision: Decision, priceMicros: Micros): Settlement {
  return {
    symbol: decision.instrument.symbol,
    expiryTs: decision.expiryTs,
    price: microsToDecimal(priceMicros),
    decidedAt: decision.decidedAt!,
    by: decision.by!,
    ...inputsView(decision),
  };
}

/** One expiry that awaits review. */
export function refusedView(decision: Decision): RefusedExpiry {
  return {
    symbol: decision.instrument.symbol,
    expiryTs: decision.expiryTs,
    reason: decision.refusal!,
    refusedAt: decision.judgedAt,
    anchor: decimalOrNull(decision.anchorMicros),
    ...inputsView(decision),
  };
}

function inputsView({ sources, dispersionMicroBps }: Decision) {
  return { sources: sources.map(sourceView), dispersionBps: decimalOrNull(dispersionMicroBps) };
}

function sourceView({ source, averageMicros, fresh, lastMicros, lastTs }: SourceAverage): SettlementSource {
  return {
    source,
    average: decimalOrNull(averageMicros),
    fresh,
    last: microsToDecimal(lastMicros),
    lastTs,
  };
}

/** Up to a thousand attempts, oldest first: those after number `after`, or else the newest. */
export function auditView({ entries }: AuditLog, after: number | null): AuditEntry[] {
  const kept = entries[0] === undefined ? 0 : entries[0].n - 1;
  const from = after === null ? entries.length - AUDIT_SHOWN : after - kept;
  const start = Math.max(0, from);
  return entries.slice(start, start + AUDIT_SHOWN).map(auditEntryView);
}

/** Decimals are too coarse for the largest amounts, so the hashed amounts are also shown exactly. */
function auditEntryView(record: AuditRecord): AuditEntry {
  if ('action' in record) return { ...NO_SETTLEMENT, ...record, accepted: record.reason === null };
  const { gates, ...facts } = record;
  return {
    ...facts,
    price: decimalOrNull(facts.priceMicros),
    anchor: decimalOrNull(facts.anchorMicros),
    deviationBps: decimalOrNull(facts.deviationMicroBps),
    gates: gates.map(({ gate, passed }) => ({ gate, passed })),
    accepted: facts.reason === null,
  };
}

/** The fields of a settlement in the record of anything else. */
const NO_SETTLEMENT = {
  ...{ seriesId: null, symbol: null, expiryTs: null, price: null, anchor: null, deviationBps: null },
  ...{ priceMicros: null, anchorMicros: null, deviationMicroBps: null, boundBps: null, gates: [] },
};

function decimalOrNull(micros: Micros | null): number | null {
  return micros === null ? null : microsToDecimal(micros);
}
