/** The market maker's ladders in their legacy form, without a quote session. */

import type { QuoteRow } from '@venue/engine';
import { malformed, type QuotesAnswer, type QuotesBody } from '@venue/protocol';
import { QuotesAnswerSchema, QuotesBodySchema } from '@venue/protocol/wire';
import { type Accepted, type Services, submit } from '../../services.ts';
import { HttpError } from '../errors.ts';
import { MIB, type Route, route } from '../route.ts';
import { readCompactQuotes, readVerboseQuotes, type SoundRows, shownErrors } from '../rows.ts';

export function quoteRoutes(services: Services): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/quotes',
      access: 'unsigned-maker',
      bodyLimitBytes: 16 * MIB,
      body: QuotesBodySchema,
      answer: QuotesAnswerSchema,
      contract: { excluded: 'called by the market maker alone, with a secret of the operator' },
      handle: ({ body }) => {
        const read = readQuotes(body);
        return submit(services, { kind: 'quotes', rows: read.rows }, (outcome) =>
          quotesAnswer(read, outcome),
        );
      },
    }),
  ];
}

function readQuotes(body: QuotesBody): SoundRows<QuoteRow> {
  if ('rows' in body && 'quotes' in body) throw new HttpError(malformed('rows beside quotes'));
  return 'rows' in body ? readCompactQuotes(body.rows) : readVerboseQuotes(body.quotes);
}

function quotesAnswer(
  read: SoundRows<QuoteRow>,
  { applied, kept, rowErrors, unknownSids }: Accepted<{ kind: 'quotes'; rows: QuoteRow[] }>,
): QuotesAnswer {
  const errors = [...read.rowErrors, ...rowErrors];
  return {
    applied,
    kept,
    errors: errors.length,
    rowErrors: shownErrors(errors),
    ...(unknownSids.length > 0 && { unknownSids: [...unknownSids] }),
  };
}
