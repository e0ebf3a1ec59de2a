/** The order ticket: what is traded, at what price, and what that would do to the account, before it is sent. */

import { microsToDecimal } from '@venue/protocol';
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { AMOUNT_FAULTS, formatPrice, formatSize, formatUsd, parseAmount } from '../core/numbers.ts';
import { type Advice, adviceText } from '../core/order-errors.ts';
import type { Ticket as TicketState } from '../core/stores.ts';
import { termsOf } from '../core/ticket-desk.ts';
import { PayoffPicture } from './PayoffPicture.tsx';
import { SignIn } from './SignIn.tsx';
import { seriesLabel } from './series-label.ts';
import { useStore, useTerminal } from './terminal.ts';
import { useTouch } from './use-market.ts';

export function Ticket(): ReactNode {
  const { stores, market, desk } = useTerminal();
  const ticket = useStore(stores.ticket, (state) => state);
  const session = useStore(stores.session, (state) => state.state);
  const qtyField = useRef<HTMLInputElement>(null);
  const { seriesId } = ticket;
  useEffect(() => {
    if (seriesId !== null) qtyField.current?.focus({ preventScroll: true });
  }, [seriesId]);
  if (seriesId === null) return <EmptyTicket />;
  const leg = market.legOf(seriesId) ?? null;
  const send = (event: FormEvent) => {
    event.preventDefault();
    void desk.send();
  };
  return (
    <form className="ticket" data-side={ticket.side} onSubmit={send} aria-label="Order ticket">
      <h2>
        {seriesLabel(seriesId)}
        <button type="button" className="close" aria-label="Close the ticket" onClick={() => desk.close()}>
          ✕
        </button>
      </h2>
      <SideSwitch side={ticket.side} />
      <KindSwitch kind={ticket.kind} />
      <AmountField name="qty" label="Quantity" unit="contracts" value={ticket.qty} fieldRef={qtyField} />
      {ticket.kind === 'limit' && (
        <AmountField name="price" label="Limit price" unit="$" value={ticket.price} />
      )}
      <Touch leg={leg} ticket={ticket} />
      {session === 'ready' ? <Consequences ticket={ticket} /> : <SignIn />}
      <PayoffPicture ticket={ticket} />
      <Said ticket={ticket} />
      <SendButton ticket={ticket} />
    </form>
  );
}

function EmptyTicket(): ReactNode {
  return (
    <div className="ticket empty">
      <h2>Ticket</h2>
      <p>Press a price: an ask buys, a bid sells.</p>
      <p>
        <kbd>Enter</kbd> does it from the keyboard, <kbd>?</kbd> shows all keys.
      </p>
    </div>
  );
}

const SIDES = { buy: 'Buy', sell: 'Sell' } as const;
const KINDS = { limit: 'Limit', market: 'Market' } as const;

function SideSwitch({ side }: Pick<TicketState, 'side'>): ReactNode {
  const { desk } = useTerminal();
  return <Switch name="Side" options={SIDES} chosen={side} onChoose={(one) => desk.edit({ side: one })} />;
}

function KindSwitch({ kind }: Pick<TicketState, 'kind'>): ReactNode {
  const { desk } = useTerminal();
  return (
    <Switch name="Kind of order" options={KINDS} chosen={kind} onChoose={(one) => desk.edit({ kind: one })} />
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
  readonly fieldRef?: { current: HTMLInputElement | null };
}

function AmountField({ name, label, unit, value, fieldRef }: AmountFieldProps): ReactNode {
  const { desk, stores } = useTerminal();
  const id = useId();
  const typed = parseAmount(value);
  const fault = value === '' || typed.ok ? null : typed.fault;
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
        value={value}
        aria-invalid={isMarked || fault !== null}
        onChange={(event) => desk.edit({ [name]: event.target.value })}
      />
      <span className="unit">{unit}</span>
      {fault !== null && <span className="fault">{AMOUNT_FAULTS[fault]}</span>}
    </div>
  );
}

/** The market beside the price that was taken: it moves, the ticket does not. */
function Touch({
  leg,
  ticket,
}: {
  leg: Parameters<typeof useTouch>[0];
  readonly ticket: TicketState;
}): ReactNode {
  const { desk } = useTerminal();
  const { bid, ask, mark } = useTouch(leg);
  const touch = ticket.side === 'buy' ? ask : bid;
  const isMoved = ticket.kind === 'limit' && !Number.isNaN(touch) && formatPrice(touch) !== ticket.price;
  return (
    <p className="touch">
      bid {formatPrice(bid)} · ask {formatPrice(ask)} · mark {formatPrice(mark)}
      {isMoved && (
        <button type="button" className="chip" onClick={() => desk.edit({ price: formatPrice(touch) })}>
          now {formatPrice(touch)}, use it
        </button>
      )}
    </p>
  );
}

function Consequences({ ticket }: { readonly ticket: TicketState }): ReactNode {
  const { stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const { preview, previewFault } = ticket;
  if (previewFault !== null) return <p className="fault">No preview: {previewFault}</p>;
  if (preview === null) return <p className="muted">Cost and margin appear here.</p>;
  const unit = mode === 'paper' ? 'paper $' : '$';
  const rows: readonly (readonly [string, string])[] = [
    [ticket.side === 'buy' ? 'Cost now' : 'Received now', formatUsd(preview.cost, unit)],
    ['Fee', formatUsd(preview.fee, unit)],
    ['Rests', `${formatSize(preview.restedQty)} contracts`],
    ['Locked', `${formatUsd(preview.before.locked, unit)} → ${formatUsd(preview.after.locked, unit)}`],
    [
      'Buying power',
      `${formatUsd(preview.before.buyingPower, unit)} → ${formatUsd(preview.after.buyingPower, unit)}`,
    ],
  ];
  return (
    <dl className="consequences">
      {rows.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the venue said, in its words, and what the page can do about it. Its room is always there, so that nothing jumps. */
function Said({ ticket }: { readonly ticket: TicketState }): ReactNode {
  const { stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const reason = ticket.advice?.text ?? ticket.preview?.reason ?? null;
  return (
    <div className="said" role="alert">
      {reason !== null && <strong>{reason}</strong>}
      {ticket.advice !== null && (
        <p>
          {adviceText(ticket.advice.advice, { canDeposit: mode === 'deposits' })}{' '}
          <AdviceButton advice={ticket.advice.advice} />
        </p>
      )}
    </div>
  );
}

function AdviceButton({ advice }: { readonly advice: Advice }): ReactNode {
  const { desk, actions } = useTerminal();
  switch (advice.kind) {
    case 'lower-qty': {
      const { maxQtyMicros } = advice;
      if (maxQtyMicros === null) return null;
      const most = formatSize(microsToDecimal(maxQtyMicros));
      return (
        <button type="button" onClick={() => desk.edit({ qty: most })}>
          Take {most}
        </button>
      );
    }
    case 'margin-off':
      return (
        <button type="button" onClick={() => actions.setMargin(true)}>
          Turn margin on
        </button>
      );
    case 'make-limit': {
      const { priceMicros } = advice;
      if (priceMicros === null) return null;
      const price = formatPrice(microsToDecimal(priceMicros));
      return (
        <button type="button" onClick={() => desk.edit({ kind: 'limit', price })}>
          Limit at {price}
        </button>
      );
    }
    default:
      return null;
  }
}

/** Says what a press does; only what cannot be read as an order keeps it from being pressed. */
function SendButton({ ticket }: { readonly ticket: TicketState }): ReactNode {
  const { stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const session = useStore(stores.session, (state) => state.state);
  const order = termsOf(ticket);
  const what = `${ticket.side === 'buy' ? 'Buy' : 'Sell'} ${ticket.qty || '…'} ${seriesLabel(ticket.seriesId ?? '')}`;
  const at = ticket.kind === 'market' ? 'at market' : `at ${ticket.price || '…'}`;
  return (
    <button
      type="submit"
      className="send"
      disabled={order === null || session !== 'ready' || ticket.sending !== 'no'}
    >
      {mode === 'paper' && <span className="paper-tag">PAPER </span>}
      {ticket.sending === 'sending'
        ? 'Sending…'
        : ticket.sending === 'unknown'
          ? 'Not known yet…'
          : `${what} ${at}`}
    </button>
  );
}
