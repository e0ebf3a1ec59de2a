/** An order that an action names. */

import type { Field } from './field.ts';
import { form } from './form.ts';
import { integerFrom } from './schema.ts';
import { CLIENT_ID_VALUE } from './terms.ts';
import { isWhole, whole } from './value.ts';

/** An order by the venue's id or by its client's. */
export type OrderRef = { readonly orderId: number } | { readonly clientId: string };

export const ORDER_ID = whole(
  integerFrom(1, 'Order id, unique for the life of the venue'),
  (value): value is number => isWhole(value) && value > 0,
);

const isById = form({ orderId: ORDER_ID.isLogged });
const isByClientId = form({ clientId: CLIENT_ID_VALUE.isLogged });

export const REF_FIELD: Field<OrderRef, { orderId?: number; clientId?: string }> = {
  properties: { orderId: ORDER_ID.schema, clientId: CLIENT_ID_VALUE.schema },
  isRequired: false,
  read: (posted) => {
    const orderId = posted.optional('orderId', ORDER_ID.parse);
    const clientId = posted.optional('clientId', CLIENT_ID_VALUE.parse);
    if (orderId === undefined) return { clientId: clientId ?? posted.missing('orderId') };
    return clientId === undefined ? { orderId } : posted.malformed('clientId');
  },
  text: (ref) =>
    'orderId' in ref
      ? ` #${ORDER_ID.text(ref.orderId, 'orderId')}`
      : ` ${CLIENT_ID_VALUE.text(ref.clientId, 'clientId')}`,
  isLogged: (value) => isById(value) || isByClientId(value),
};
