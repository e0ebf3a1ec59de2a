/** Takes prices from the feed processes, the only source of spots; with real money no simulated ones (FEED-1). */

import { isSimulated } from '@venue/protocol';
import { FeedAnswerSchema, FeedBodySchema } from '@venue/protocol/wire';
import { refuse } from '../errors.ts';
import { type Route, route } from '../route.ts';
import { readPrints, shownErrors } from '../rows.ts';
import { type Services, submit } from '../services.ts';

export function feedRoutes(services: Services): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/feed/prints',
      access: 'feed',
      body: FeedBodySchema,
      answer: FeedAnswerSchema,
      contract: { excluded: 'called by price feeds alone, with a secret of the operator' },
      handle: ({ body }) => {
        const { rows, rowErrors } = readPrints(body.prints);
        if (!services.takesSimulatedPrices && rows.some(({ source }) => isSimulated(source)))
          refuse('simulatedPrices');
        const prints = rows.map(({ symbol, source, priceMicros }) => ({ symbol, source, priceMicros }));
        return submit(services, { kind: 'prints', prints }, (outcome) => {
          const late = outcome.rowErrors.map(({ i, error }) => ({ i: rows[i]!.i, error }));
          const errors = [...rowErrors, ...late];
          const { accepted } = outcome;
          return { ok: true, accepted, rejected: errors.length, rowErrors: shownErrors(errors) };
        });
      },
    }),
  ];
}
