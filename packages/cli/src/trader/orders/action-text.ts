/** Formats actions of a batch for people. */

import type { ActionWire } from '@venue/protocol';
import { contracts, usd } from '../../terminal/numbers.ts';
import { timeSpan } from './durations.ts';
import { refText } from './order-ref.ts';
import { comboText, termsText } from './order-text.ts';

/** `cancel 17`, `amend hedge-1: quantity 3, price 0.02 USD`. */
export function actionText(action: ActionWire): string {
  switch (action.type) {
    case 'place':
      return termsText(action);
    case 'combo':
      return comboText(action);
    case 'amend':
      return `amend ${refText(refIn(action))}: ${changesText(action)}`;
    case 'cancel':
      return `cancel ${refText(refIn(action))}`;
    case 'cancel-all':
      return cancelAllText(action);
    case 'guard':
      return action.ms === 0 ? 'guard off' : `guard ${timeSpan(action.ms)}`;
    case 'protect':
      return action.qty === 0
        ? `end set ${action.set}`
        : `protect set ${action.set} of ${action.symbol}: ${contracts(action.qty)}`;
    case 'unfreeze':
      return `unfreeze set ${action.set}`;
    case 'margin-mode':
      return `margin ${action.mode}`;
  }
}

type Referring = { readonly orderId?: number; readonly clientId?: string };

function refIn({ orderId, clientId = '' }: Referring) {
  return orderId === undefined ? { clientId } : { orderId };
}

/** `quantity 3, price 0.02 USD, if no more than 1 is filled`. */
export function changesText({ qty, price, filledAtMost }: Extract<ActionWire, { type: 'amend' }>): string {
  return [
    ...(qty === undefined ? [] : [`quantity ${contracts(qty)}`]),
    ...(price === undefined ? [] : [`price ${usd(price)}`]),
    ...(filledAtMost === undefined ? [] : [`if no more than ${contracts(filledAtMost)} is filled`]),
  ].join(', ');
}

function cancelAllText({ symbols, seriesIds, side }: Extract<ActionWire, { type: 'cancel-all' }>): string {
  const orders = side === undefined ? 'orders' : `${side} orders`;
  const within = symbols ?? seriesIds;
  return `cancel all ${orders}${within === undefined ? '' : ` of ${within.join(', ')}`}`;
}
