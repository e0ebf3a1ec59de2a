/** Shows the effect of an order on the account, by the venue's preview. */

import type { ReactNode } from 'react';
import { formatUsd, formatUsdChange } from '../../basics/numbers.ts';
import type { GlossaryWord } from '../../kit/glossary.ts';
import { Term } from '../../kit/Term.tsx';
import { type Preview, sideOf, type Ticket as TicketState } from './core/form/order.ts';
import { foreseenText } from './core/ticket/foreseen.ts';
import { termsOf } from './core/ticket/terms.ts';
import './Consequences.css';

type FigureRow = readonly [label: string, text: string, word?: GlossaryWord];

interface FiguresProps {
  readonly rows: readonly FigureRow[];
  /** Stands over them. */
  readonly children?: ReactNode;
  readonly isBusy?: boolean;
}

/** Amounts with their names, one a line. */
export function Figures({ rows, children, isBusy }: FiguresProps): ReactNode {
  return (
    <div className="consequences" aria-busy={isBusy}>
      {children}
      <dl>
        {rows.map(([label, text, word]) => (
          <div key={label}>
            <dt>{word === undefined ? label : <Term of={word}>{label}</Term>}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The figures of the venue's preview, with dots until it answers. */
export function venueRows(preview: Preview | null): Record<'fee' | 'margin' | 'power' | 'locked', FigureRow> {
  const change = (of: 'locked' | 'maintenanceMargin' | 'buyingPower') =>
    preview === null ? '…' : formatUsdChange(preview.before[of], preview.after[of]);
  return {
    fee: ['Fee', preview === null ? '…' : formatUsd(preview.fee), 'fee'],
    locked: ['Locked', change('locked'), 'locked'],
    margin: ['Maintenance margin', change('maintenanceMargin'), 'maintenance margin'],
    power: ['Buying power', change('buyingPower'), 'buying power'],
  };
}

interface ConsequencesProps {
  readonly ticket: TicketState;
  /** Dollars, NaN without a quote. */
  readonly mark: number;
}

export function Consequences({ ticket, mark }: ConsequencesProps): ReactNode {
  const { preview, previewFault } = ticket;
  if (previewFault !== null) return <p className="fault">No preview: {previewFault}</p>;
  const { fee, locked, power } = venueRows(preview);
  const cost = preview === null ? '…' : formatUsd(preview.cost);
  const label = sideOf(ticket) === 'buy' ? 'Cost now' : 'Credit now';
  return (
    <Figures rows={[[label, cost], fee, locked, power]} isBusy={preview === null}>
      <p className="foreseen">{fillsText(ticket, mark)}</p>
    </Figures>
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
