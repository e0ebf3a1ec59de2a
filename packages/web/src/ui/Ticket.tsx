/** The order ticket: what is traded, at what price, and what that would do to the account, before it is sent. */

import { microsToDecimal, type OrderPreviewAnswer } from '@venue/protocol';
import type { OrderTerms } from '@venue/sdk/browser';
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { AMOUNT_FAULTS, formatPrice, formatSize, formatUsd, parseAmount } from '../core/numbers.ts';
import { adviceText } from '../core/order-errors.ts';
import { qtyText, type Step, stepped } from '../core/step.ts';
import type { TicketAdvice, Ticket as TicketState } from '../core/stores.ts';
import { GAVE_UP, type TicketDesk, termsOf } from '../core/ticket-desk.ts';
import { PayoffPicture } from './PayoffPicture.tsx';
import { SignIn } from './SignIn.tsx';
import { seriesLabel } from './series-label.ts';
import { useStore, useTerminal } from './terminal.ts';
import { useDollars } from './use-dollars.ts';
import { useTouch } from './use-market.ts';
import './Ticket.css';

export function Ticket(): ReactNode {
  const { stores, market, desk } = useTerminal();
  const ticket = useStore(stores.ticket, (state) => state);
  const session = useStore(stores.session, (state) => state.state);
  const qtyField = useRef<HTMLInputElement>(null);
  const { seriesId } = ticket;
  const cameFrom = useRef<Element | null>(null);
  useEffect(() => {
    cameFrom.current = document.activeElement;
    if (seriesId !== null) qtyField.current?.focus({ preventScroll: true });
  }, [seriesId]);
  if (seriesId === null) return <EmptyTicket />;
  const leg = market.legOf(seriesId) ?? null;
  const send = (event: FormEvent) => {
    event.preventDefault();
    void desk.send();
  };
  const close = () => {
    desk.close();
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (!pressInTicket(desk, event)) return;
    event.preventDefault();
  };
  return (
    <form
      className="ticket"
      data-side={ticket.side}
      onSubmit={send}
      onKeyDown={onKeyDown}
      aria-label="Order ticket"
    >
      <h2>
        {seriesLabel(seriesId)}
        <button type="button" className="close" aria-label="Close the ticket" onClick={close}>
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

/** Whether the key meant something: U the touch, B and S the side, Ctrl+Enter the order itself. No field here takes letters. */
function pressInTicket(desk: TicketDesk, event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  if ((ctrlKey || metaKey) && key === 'Enter') void desk.send();
  else if (ctrlKey || metaKey || altKey) return false;
  else if (key === 'u' || key === 'U') desk.takeTouch();
  else if (key === 'b' || key === 'B') desk.edit({ side: 'buy' });
  else if (key === 's' || key === 'S') desk.edit({ side: 'sell' });
  else return false;
  return true;
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
        onKeyDown={(event) => {
          const step = stepOf(event);
          if (step === null) return;
          event.preventDefault();
          desk.edit({ [name]: stepped(name, value, step) });
        }}
      />
      <span className="unit">{unit}</span>
      {fault !== null && <span className="fault">{AMOUNT_FAULTS[fault]}</span>}
    </div>
  );
}

function stepOf({ key, shiftKey, altKey }: KeyboardEvent): Step | null {
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  return { direction: key === 'ArrowUp' ? 1 : -1, size: shiftKey ? 'ten' : altKey ? 'tenth' : 'one' };
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
  const onChain = useTouch(leg);
  const { bid, ask, mark } = (leg === null ? ticket.touch : null) ?? onChain;
  const touch = ticket.side === 'buy' ? ask : bid;
  const typed = parseAmount(ticket.price);
  const isMoved =
    ticket.kind === 'limit' &&
    !Number.isNaN(touch) &&
    !(typed.ok && typed.micros === Math.round(touch * 1e6));
  return (
    <p className="touch">
      bid {formatPrice(bid)} · ask {formatPrice(ask)} · mark {formatPrice(mark)}
      {isMoved && (
        <button type="button" className="chip" title="U" onClick={() => desk.takeTouch()}>
          now {formatPrice(touch)}, use it
        </button>
      )}
    </p>
  );
}

function Consequences({ ticket }: { readonly ticket: TicketState }): ReactNode {
  const unit = useDollars();
  const { preview, previewFault } = ticket;
  if (previewFault !== null) return <p className="fault">No preview: {previewFault}</p>;
  if (preview === null) return <p className="muted">Cost and margin appear here.</p>;
  const rows: readonly (readonly [string, string])[] = [
    [ticket.side === 'buy' ? 'Cost now' : 'Received now', formatUsd(preview.cost, unit)],
    ['Fee', formatUsd(preview.fee, unit)],
    ['Rests', `${formatSize(preview.restedQty)} contracts`],
    ['Locked', changeText(preview.before.locked, preview.after.locked, unit)],
    ['Buying power', changeText(preview.before.buyingPower, preview.after.buyingPower, unit)],
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
    <div className="said" data-tone={ticket.cautions.length > 0 ? 'caution' : 'plain'}>
      {ticket.cautions.map((caution) => (
        <strong key={caution}>{caution}</strong>
      ))}
      {reason !== null && ticket.cautions.length === 0 && <strong>{reason}</strong>}
      {ticket.advice !== null && <AdviceLine given={ticket.advice} canDeposit={mode === 'deposits'} />}
    </div>
  );
}

function AdviceLine({
  given,
  canDeposit,
}: {
  readonly given: TicketAdvice;
  readonly canDeposit: boolean;
}): ReactNode {
  const { advice, atMs } = given;
  if (advice.kind === 'wait') return <Countdown untilMs={atMs + advice.ms} />;
  return (
    <p>
      {adviceText(advice, { canDeposit })} <AdviceButton advice={advice} />
    </p>
  );
}

/** The person sends again: the page never does by itself. */
function Countdown({ untilMs }: { readonly untilMs: number }): ReactNode {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const leftS = Math.max(0, Math.ceil((untilMs - nowMs) / 1_000));
  return (
    <p>{leftS > 0 ? `Too many requests. Send it again in ${leftS} s.` : 'You can send it again now.'}</p>
  );
}

function AdviceButton({ advice }: { readonly advice: TicketAdvice['advice'] }): ReactNode {
  const { desk, actions, stores } = useTerminal();
  switch (advice.kind) {
    case 'deposit':
      return <DepositButton />;
    case 'unknown-outcome':
      return <LookAgainButton />;
    case 'approve':
    case 'sign-in':
      return null;
    case 'reduce-only':
      return (
        <button type="button" onClick={() => stores.view.setState({ panel: 'Account', isOnPanel: true })}>
          Show the account
        </button>
      );
    case 'lower-qty': {
      const { maxQtyMicros } = advice;
      if (maxQtyMicros === null) return null;
      const most = qtyText(microsToDecimal(maxQtyMicros));
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

/** Where money can be paid in at all. */
function DepositButton(): ReactNode {
  const { stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  if (mode !== 'deposits') return null;
  return (
    <button type="button" onClick={() => stores.view.setState({ panel: 'Funds', isOnPanel: true })}>
      Deposit
    </button>
  );
}

/** Once the page has given up by itself. */
function LookAgainButton(): ReactNode {
  const { stores, desk } = useTerminal();
  const text = useStore(stores.ticket, ({ advice }) => advice?.text);
  if (text !== GAVE_UP) return null;
  return (
    <button type="button" onClick={() => void desk.lookAgain()}>
      Look again
    </button>
  );
}

/** Says what a press does; only what cannot be read as an order keeps it from being pressed. */
function SendButton({ ticket }: { readonly ticket: TicketState }): ReactNode {
  const { stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const unit = useDollars();
  const session = useStore(stores.session, (state) => state.state);
  const order = termsOf(ticket);
  const what = `${ticket.side === 'buy' ? 'Buy' : 'Sell'} ${ticket.qty || '…'} ${seriesLabel(ticket.seriesId ?? '')}`;
  const at = ticket.kind === 'market' ? 'at market' : `at ${ticket.price || '…'}`;
  const total = order === null ? '' : totalText(order.terms, ticket.preview, unit);
  return (
    <button
      type="submit"
      className="send"
      disabled={order === null || session !== 'ready' || ticket.sending !== 'no'}
    >
      {mode === 'paper' && <span className="paper-tag">PAPER </span>}
      {SENDING_TEXTS[ticket.sending] ??
        `${ticket.cautions.length > 0 ? 'Send all the same: ' : ''}${what} ${at}${total}`}
    </button>
  );
}

const SENDING_TEXTS: Partial<Record<TicketState['sending'], string>> = {
  sending: 'Sending…',
  unknown: 'Not known yet…',
};

/** What changes hands if all of it trades at its price: the premium, and the fee on top or off it. */
function totalText(
  { side, qty, price }: OrderTerms,
  preview: OrderPreviewAnswer | null,
  unit: '$' | 'paper $',
): string {
  const premium = price === undefined ? (preview?.cost ?? 0) : price * qty;
  const fee = preview?.fee ?? 0;
  return premium === 0 ? '' : ` · ${formatUsd(side === 'buy' ? premium + fee : premium - fee, unit)}`;
}

/** `paper $100,000.00 → 98,877.20` */
function changeText(before: number, after: number, unit: '$' | 'paper $'): string {
  return `${formatUsd(before, unit)} → ${formatPrice(after)}`;
}
