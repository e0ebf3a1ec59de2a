/** Every refusal that a client can meet, by its code (ERR-1). */

import { ReasonListSchema } from '@venue/protocol/wire';
import { Content, JSON_TYPE, type Route, route } from '../route.ts';
import type { Services } from '../services.ts';

/** `allRoutes` returns the table that the list is of. */
export function reasonRoutes({ listReasons }: Services, allRoutes: () => readonly Route[]): Route[] {
  let text: string | undefined;
  return [
    route({
      method: 'GET',
      path: '/v1/reasons',
      access: 'public',
      answer: ReasonListSchema,
      contract: { summary: 'Every refusal: its code, its text, where it is answered, and what helps' },
      handle: () => {
        text ??= JSON.stringify({ reasons: listReasons(allRoutes()) });
        return new Content(JSON_TYPE, text);
      },
    }),
  ];
}
