/** Advice on an answer to an order, in a sentence. */

import { type Micros, microsToDecimal } from '@venue/protocol';
import { formatPrice, formatSize, formatUsd } from '../../../../basics/numbers.ts';
import type { Advice, NeedHave } from './advice.ts';
import { restingCount } from './in-the-way.ts';

/** Advice as a sentence; `canDeposit` is false in paper mode, where nothing can be paid in. */
export function adviceText(advice: Advice, { canDeposit }: { canDeposit: boolean }): string {
  switch (advice.kind) {
    case 'lower-qty':
      return `${atMostText(advice.maxQtyMicros)}${canDeposit ? ', or deposit' : ''}.`;
    case 'deposit':
      return `${lackText(advice.amounts)}${canDeposit ? 'Deposit first.' : 'Close a position first.'}`;
    case 'margin-off':
      return 'Turn on margin to sell short. Your order stays here.';
    case 'reduce-only':
      return 'Buy back shorts first: the margin call lists the ones that clear it.';
    case 'make-limit':
      return advice.priceMicros === null
        ? 'No quotes right now. Enter a limit price.'
        : `Try a limit order at the mark, ${formatPrice(microsToDecimal(advice.priceMicros))}.`;
    case 'series-over':
      return SERIES_OVER[advice.why];
    case 'mark-field':
      return advice.field === 'qty' ? 'Correct the quantity.' : 'Correct the price.';
    case 'ask-operator':
      return 'Only the venue’s operator can change this. Contact them.';
    case 'resync-clock':
      return 'Your clock is off. The page takes the venue’s time and signs again.';
    case 'approve':
      return 'Approve a trading session with your wallet. This order stays here.';
    case 'sign-in':
      return 'Sign in again. This order stays here.';
    case 'wait':
      return `Too many requests. Try again in ${Math.ceil(advice.ms / 1_000)} s.`;
    case 'unknown-outcome':
      return 'It is not yet known whether this order went through. Do not resend it until the page has checked.';
    case 'cancel-first':
      return `${restingCount(advice.orders)} ${advice.orders === 1 ? 'counts' : 'count'} as closing it already.`;
    case 'explain':
      return advice.text;
    case 'other':
      return 'No order was placed.';
  }
}

const SERIES_OVER = {
  unknown: 'This contract is not listed.',
  expired: 'This contract has expired and is being settled.',
  settled: 'This contract is settled.',
} as const;

function atMostText(maxQtyMicros: Micros | null): string {
  return maxQtyMicros === null ? 'Buy back less' : `At most ${formatSize(microsToDecimal(maxQtyMicros))}`;
}

function lackText(amounts: NeedHave | null): string {
  if (amounts === null) return '';
  const lackMicros = (amounts.needMicros - amounts.haveMicros) as Micros;
  return `You are ${formatUsd(microsToDecimal(lackMicros))} short. `;
}
