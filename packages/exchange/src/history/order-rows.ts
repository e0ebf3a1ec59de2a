/** Orders as rows of a batch. */

import type { OpenedCombo, OpenedOrder } from '@venue/engine';
import type { NewRow } from './rows.ts';

export function orderRow(seq: number, ts: number, order: OpenedOrder): NewRow<'orders'> {
  const { account, id, series, side, priceMicros, qtyMicros, terms } = order;
  return {
    seq,
    account: account.index,
    id,
    ts,
    sid: series.sid,
    side,
    price: priceMicros,
    qty: qtyMicros,
    ...terms,
  };
}

/** A combo has the series and the side of its first leg, and its net as price. */
export function comboRow(seq: number, ts: number, combo: OpenedCombo): NewRow<'orders'> {
  const [first] = combo.legs;
  const row = orderRow(seq, ts, { ...combo, ...first!, priceMicros: combo.netMicros });
  return { ...row, legs: legsText(combo) };
}

/** The legs of a combo as the file has them: side, ratio and series each, as in the text that is signed. */
function legsText({ legs }: OpenedCombo): string {
  return legs.map(({ side, ratio, series }) => `${side}:${ratio}:${series.seriesId}`).join(',');
}

/** The contracts of all legs in one unit of a combo. */
export function contractsPerUnit(legs: string): number {
  return legs.split(',').reduce((sum, leg) => sum + Number(leg.split(':')[1]), 0);
}
