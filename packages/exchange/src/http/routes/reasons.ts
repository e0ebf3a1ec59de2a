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
      contract: {
        id: 'reasons',
        tag: 'Help',
        summary: 'Every refusal: its code, its text, where it is answered, and what helps',
        text: 'Each refusal has a code, which the header `x-venue-code` of the answer carries; results of a batch, previews and rows of a push to a quote set have it as `code`. A text may change its wording, a code does not. Names in braces stand for what the text fills in; the amounts `need`, `have` and `headroom` are members of a result too (ERR-1).',
      },
      handle: () => {
        text ??= JSON.stringify({ reasons: listReasons(allRoutes()) });
        return new Content(JSON_TYPE, text);
      },
    }),
  ];
}
