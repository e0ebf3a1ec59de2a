/** The list of refusals (ERR-1). */

import { type Static, Type } from 'typebox';
import { text, VenueCodeText } from './primitives.ts';

export const ReasonRouteSchema = Type.Object({
  route: text('Method and path of the operation; `*` for any'),
  status: Type.Integer({
    description: 'HTTP status; 200 where it stands in a result or a row of the answer',
  }),
});
export type ReasonRoute = Static<typeof ReasonRouteSchema>;

export const ReasonSchema = Type.Object({
  code: VenueCodeText,
  text: text('The text, with names in braces for what it fills in'),
  helps: text('The remedy, in a sentence'),
  routes: Type.Array(ReasonRouteSchema),
});
export type Reason = Static<typeof ReasonSchema>;

/** Answer of `GET /v1/reasons`. */
export const ReasonListSchema = Type.Object({ reasons: Type.Array(ReasonSchema) });
export type ReasonList = Static<typeof ReasonListSchema>;
