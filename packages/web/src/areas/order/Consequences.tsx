/** Shows the effect of an order of one contract on the account, by the venue's preview. */

import type { OrderPreviewAnswer } from '@venue/protocol';
import type { ReactNode } from 'react';
import { formatUsd, formatUsdChange } from '../../basics/numbers.ts';
import type { GlossaryWord } from '../../kit/glossary.ts';
import { Term } from '../../kit/Term.tsx';
import { sideOf, type Ticket as TicketState } from './core/form/order.ts';
import { foreseenText } from './core/ticket/foreseen.ts';
import { termsOf } from './core/ticket/terms.ts';

interface ConsequencesProps {
  readonly ticket: TicketState;
  /** Dollars, NaN without a quote. */
  readonly mark: number;
}

export function Consequences({ ticket, mark }: ConsequencesProps): ReactNode {
  const { preview, previewFault } = ticket;
  if (previewFault !== null) return <p className="fault">No preview: {previewFault}</p>;
  const of = (text: (known: OrderPreviewAnswer) => string) => (preview === null ? '…' : text(preview));
  const rows: readonly (readonly [label: string, word: GlossaryWord | null, text: string])[] = [
    [sideOf(ticket) === 'buy' ? 'Cost now' : 'Credit now', null, of(({ cost }) => formatUsd(cost))],
    ['Fee', 'fee', of(({ fee }) => formatUsd(fee))],
    ['Locked', 'locked', of(({ before, after }) => formatUsdChange(before.locked, after.locked))],
    [
      'Buying power',
      'buying power',
      of(({ before, after }) => formatUsdChange(before.buyingPower, after.buyingPower)),
    ],
  ];
  return (
    <div className="consequences" aria-busy={preview === null}>
      <p className="foreseen">{fillsText(ticket, mark)}</p>
      <dl>
        {rows.map(([label, word, text]) => (
          <div key={label}>
            <dt>{word === null ? label : <Term of={word}>{label}</Term>}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The quantity that fills, without the cost; or the reason for which the venue would decline it. */
function fillsText({ preview, ...ticket }: TicketState, mark: number): string {
  const order = termsOf({ preview, ...ticket });
  if (preview === null || order === null) return '…';
  // The preview is of the order without its cancels.
  if (ticket.isWithCancels) return 'What fills is known once the resting orders are cancelled.';
  return (
    foreseenText({ terms: order.terms, preview, mark, isClosing: ticket.isClosing }) ??
    'The venue would reject it.'
  );
}
