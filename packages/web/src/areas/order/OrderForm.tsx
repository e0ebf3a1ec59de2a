/** The ticket's fields: side, kind, quantity and limit of the order. */

import type { OrderFlag, TimeInForce } from '@venue/protocol';
import { type FormEvent, type ReactNode, type RefObject, useId } from 'react';
import { faultText, parseAmount } from '../../basics/numbers.ts';
import { stepOf, stepped } from '../../market/step.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useVenueNow } from '../../terminal/use-venue-now.ts';
import { forceText, TIF_WORDS, tifOf, tifsOf, untilMs } from './core/form/in-force.ts';
import type { Ticket } from './core/ticket/state.ts';

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
  return (
    <form id={id} className="order-form" onSubmit={send} aria-label="Terms of the order">
      <SideSwitch side={ticket.side} />
      <KindSwitch kind={ticket.isClosing ? 'market' : ticket.kind} />
      <AmountField name="qty" label="Quantity" unit="contracts" value={ticket.qty} fieldRef={qtyField} />
      {ticket.kind === 'limit' && (
        <AmountField name="price" label={priceLabel(ticket)} unit="$" value={ticket.price} />
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

function SideSwitch({ side }: Pick<Ticket, 'side'>): ReactNode {
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

/** What most orders leave as it is: closed, it says in a few words what is chosen. */
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

interface SwitchProps<T extends string> {
  readonly name: string;
  readonly options: Readonly<Record<T, string>>;
  readonly chosen: T;
  readonly onChoose: (option: T) => void;
}

function Switch<T extends string>({ name, options, chosen, onChoose }: SwitchProps<T>): ReactNode {
  const group = useId();
  return (
    <fieldset className="switch">
      <legend className="visually-hidden">{name}</legend>
      {(Object.keys(options) as T[]).map((one) => (
        <label key={one} className={one}>
          <input type="radio" name={group} checked={one === chosen} onChange={() => onChoose(one)} />
          {options[one]}
        </label>
      ))}
    </fieldset>
  );
}

interface AmountFieldProps {
  readonly name: 'qty' | 'price';
  readonly label: string;
  readonly unit: string;
  readonly value: string;
  readonly fieldRef?: RefObject<HTMLInputElement | null>;
}

function AmountField({ name, label, unit, value, fieldRef }: AmountFieldProps): ReactNode {
  const { desk, stores } = useTerminal();
  const id = useId();
  const typed = parseAmount(value);
  const fault = value === '' ? null : faultText(typed);
  const isSent = useStore(stores.ticket, ({ sending }) => sending !== 'no');
  const isMarked = useStore(stores.ticket, ({ advice }) => {
    const what = advice?.advice;
    return what?.kind === 'mark-field' && what.field === name;
  });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        ref={fieldRef}
        name={name}
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        value={value}
        readOnly={isSent}
        aria-invalid={isMarked || fault !== null}
        onChange={(event) => desk.edit({ [name]: event.target.value })}
        onKeyDown={(event) => {
          const step = stepOf(event);
          if (step === null) return;
          event.preventDefault();
          desk.edit({ [name]: stepped(name, value, step) });
        }}
      />
      <span className="unit">{unit}</span>
      {fault !== null && <span className="fault">{fault}</span>}
    </div>
  );
}
