/** The ticket's fields: side, kind, quantity and limit of the order. */

import type { OrderFlag, TimeInForce } from '@venue/protocol';
import { type FormEvent, type ReactNode, type RefObject, useId } from 'react';
import type { Side } from '../../market/touch.ts';
import { useTerminal } from '../../terminal/terminal.ts';
import { useVenueNow } from '../../terminal/use-venue-now.ts';
import { forceText, TIF_WORDS, tifOf, tifsOf, untilMs } from './core/form/in-force.ts';
import { sideOf, type Ticket } from './core/form/order.ts';
import { AmountField, Switch } from './fields.tsx';

interface OrderFormProps {
  readonly id: string;
  readonly ticket: Ticket;
  readonly qtyField: RefObject<HTMLInputElement | null>;
}

/** Fields only: the sign-in beside them has its own forms. */
export function OrderForm({ id, ticket, qtyField }: OrderFormProps): ReactNode {
  const { desk } = useTerminal();
  const send = (event: FormEvent) => {
    event.preventDefault();
    void desk.send();
  };
  const field = { isSent: ticket.sending !== 'no', advice: ticket.advice };
  return (
    <form id={id} className="order-form" onSubmit={send} aria-label="Terms of the order">
      <SideSwitch side={sideOf(ticket)} />
      <KindSwitch kind={ticket.isClosing ? 'market' : ticket.kind} />
      <AmountField
        {...field}
        of="qty"
        label="Quantity"
        unit="contracts"
        value={ticket.qty}
        fieldRef={qtyField}
        onType={(qty) => desk.edit({ qty })}
      />
      {ticket.kind === 'limit' && (
        <AmountField
          {...field}
          of="price"
          label={priceLabel(ticket)}
          unit="$"
          value={ticket.price}
          onType={(price) => desk.edit({ price })}
        />
      )}
      <More ticket={ticket} />
    </form>
  );
}

/** A close trades at the market; its limit only bounds how far. */
function priceLabel({ isClosing }: Ticket): string {
  return isClosing ? 'Worst price' : 'Limit price';
}

const SIDES = { buy: 'Buy', sell: 'Sell' } as const;
const KINDS = { limit: 'Limit', market: 'Market' } as const;

function SideSwitch({ side }: { readonly side: Side }): ReactNode {
  const { desk } = useTerminal();
  return <Switch name="Side" options={SIDES} chosen={side} onChoose={(one) => desk.edit({ side: one })} />;
}

function KindSwitch({ kind }: Pick<Ticket, 'kind'>): ReactNode {
  const { desk } = useTerminal();
  return (
    <Switch name="Kind of order" options={KINDS} chosen={kind} onChoose={(one) => desk.edit({ kind: one })} />
  );
}

const FLAGS = { none: 'No flag', 'post-only': 'Post-only', 'reduce-only': 'Reduce-only' } as const;

/** The choices that most orders leave as they are; closed, it names what is chosen. */
function More({ ticket }: Pick<OrderFormProps, 'ticket'>): ReactNode {
  const { desk } = useTerminal();
  const id = useId();
  const chosen = forceText(ticket);
  return (
    <details className="more">
      <summary>
        More<span className="muted">{chosen === '' ? '' : `: ${chosen}`}</span>
      </summary>
      <div className="field">
        <label htmlFor={id}>Time in force</label>
        <select
          id={id}
          name="tif"
          value={tifOf(ticket)}
          onChange={({ target }) => desk.edit({ tif: target.value as TimeInForce })}
        >
          {tifsOf(ticket).map((tif) => (
            <option key={tif} value={tif}>
              {TIF_WORDS[tif]}
            </option>
          ))}
        </select>
      </div>
      {tifOf(ticket) === 'gtd' && <UntilField until={ticket.until} />}
      <Switch
        name="Flag"
        options={FLAGS}
        chosen={ticket.flag ?? 'none'}
        onChoose={(one) => desk.edit({ flag: one === 'none' ? null : (one satisfies OrderFlag) })}
      />
    </details>
  );
}

function UntilField({ until }: Pick<Ticket, 'until'>): ReactNode {
  const { desk } = useTerminal();
  const id = useId();
  const nowMs = useVenueNow();
  const atMs = untilMs(until);
  const fault = atMs === null ? 'Choose a day and a time.' : atMs <= nowMs ? 'This time has passed.' : null;
  return (
    <div className="field">
      <label htmlFor={id}>Until, in your time</label>
      <input
        id={id}
        name="until"
        type="datetime-local"
        value={until}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        onChange={({ target }) => desk.edit({ until: target.value })}
      />
      {fault !== null && (
        <span id={`${id}-fault`} className="fault">
          {fault}
        </span>
      )}
    </div>
  );
}
