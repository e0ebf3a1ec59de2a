/** Sends actions in one batch, again if its answer is lost, and says what can be seen of it if none comes. */

import type { Account, ActionWire } from '@venue/protocol';
import type { Action, ActionResult } from '@venue/sdk';
import type { Signing } from '../../connection/connection.ts';
import { cancelTraces, orderTraces, sendWrite, type Write } from '../../connection/unknown-outcome.ts';
import { say } from '../../terminal/output.ts';

export interface Outcome {
  readonly results: readonly ActionResult[];
  readonly account: Account;
}

/** Shorter than a program's: a person waits for the answer. */
const RETRY_MS = 10_000;
const NEWS_AFTER_MS = 3_000;

/** `what` completes `whether … is not known`. Throws as `sendWrite` does, and what `print` throws. */
export async function sendActions(
  trader: Signing,
  what: string,
  actions: readonly ActionWire[],
  print: (outcome: Outcome) => void,
): Promise<void> {
  const write: Write = { what, isRepeated: true, answerField: 'results', traces: tracesOf(trader, actions) };
  // An action that was read has an id or a client id, never both.
  const send = () =>
    // A client id that a person names may be of a command before this one.
    trader.client.orders.batch(actions as readonly Action[], { retryMs: RETRY_MS, mayRepeat: true });
  const news = setTimeout(
    say,
    NEWS_AFTER_MS,
    'venue: no answer yet; the same bytes are sent again, and count once',
  );
  try {
    await sendWrite(trader, write, send, ({ results, account }) => {
      clearTimeout(news);
      print({ results, account: account! });
    });
  } finally {
    clearTimeout(news);
  }
}

function tracesOf({ session }: Signing, actions: readonly ActionWire[]): Write['traces'] {
  const each = actions.map((action) => {
    if (action.type === 'place') return orderTraces(action, session);
    if (action.type === 'cancel' && action.orderId !== undefined)
      return cancelTraces(({ id }) => id === action.orderId);
    if (action.type === 'cancel-all') return cancelTraces(meantBy(action));
    return () => [];
  });
  return (seen) => [...new Set(each.flatMap((traces) => traces(seen)))];
}

function meantBy({ symbols, seriesIds, side }: Extract<ActionWire, { type: 'cancel-all' }>) {
  return (order: Account['openOrders'][number]) =>
    (symbols?.includes(order.symbol) ?? true) &&
    (seriesIds?.includes(order.seriesId) ?? true) &&
    (side === undefined || order.side === side);
}
