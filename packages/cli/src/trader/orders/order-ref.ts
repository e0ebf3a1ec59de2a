/** Names an order on the command line, by the venue's id or by the client's own. */

import { CLIENT_ID, type OrderRef } from '@venue/protocol';
import { usageError } from '../../base/command-error.ts';

const ORDER_ID = /^[1-9]\d{0,15}$/;
/** No client id has a colon, so this is none itself. */
const CLIENT_PREFIX = 'client:';

/**
 * An order by its id, or by its client id: digits alone are an id, unless `client:` stands before them.
 *
 * @example refOf('17') // { orderId: 17 }
 * @example refOf('hedge-1') // { clientId: 'hedge-1' }
 */
export function refOf(text: string): OrderRef {
  const orderId = ORDER_ID.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(orderId)) return { orderId };
  const isForced = text.startsWith(CLIENT_PREFIX);
  const clientId = isForced ? text.slice(CLIENT_PREFIX.length) : text;
  if (!CLIENT_ID.test(clientId) || (!isForced && /^\d+$/.test(clientId)))
    throw usageError(
      `an order is named by its id, or by a client id of 1 to 36 letters, digits, _ and -, not by "${text}"`,
    );
  return { clientId };
}

/** As the command line names it. */
export function refText(ref: OrderRef): string {
  if ('orderId' in ref) return String(ref.orderId);
  return /^\d+$/.test(ref.clientId) ? `${CLIENT_PREFIX}${ref.clientId}` : ref.clientId;
}
