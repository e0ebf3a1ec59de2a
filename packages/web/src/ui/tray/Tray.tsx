/** The strategy tray: legs, one net price, and what one combo would do to the account, before it is sent. */

import { MICROS_PER_UNIT, microsToDecimal, toMicros } from '@venue/protocol';
import { type KeyboardEvent, type ReactNode, use, useEffect, useId, useRef } from 'react';
import { formatUsd } from '../../core/numbers.ts';
import type { Tray as TrayState } from '../../core/stores.ts';
import type { TrayDesk } from '../../core/tray/desk.ts';
import { cutoffMs, orderOf, type TrayTerms } from '../../core/tray/terms.ts';
import { calendarNote, orderWords, spreadName } from '../../core/tray/words.ts';
import { SignIn } from '../../kit/SignIn.tsx';
import { useStore, useTerminal } from '../../kit/terminal.ts';
import { useAnnouncement } from '../../kit/use-announcement.ts';
import { tabStopOf } from '../chain-keys.ts';
import { Verdict } from '../TicketAdvice.tsx';
import { useVenueNow } from '../use-venue-now.ts';
import { TrayFigures } from './TrayFigures.tsx';
import { TrayForm } from './TrayForm.tsx';
import { TrayLegs } from './TrayLegs.tsx';
import { TrayPresets } from './TrayPresets.tsx';
import { useQuotes } from './use-quotes.ts';
import '../Ticket.css';
import './Tray.css';

export function Tray(): ReactNode {
  const { stores, trayDesk } = useTerminal();
  const desk = use(trayDesk());
  const tray = useStore(stores.tray, (state) => state);
  const place = useRef<HTMLElement>(null);
  const isOver = useVenueNow() >= cutoffMs(tray.legs) && tray.sending === 'no';
  useTrayFocus(place);
  useAnnouncement(tray.fault);
  const name = tray.legs.length === 0 ? null : spreadName(tray.legs, Date.now());
  return (
    <section
      ref={place}
      className="ticket tray"
      data-side={name?.side ?? 'buy'}
      data-is-sent={tray.sending !== 'no' || undefined}
      onKeyDown={(event) => pressInTray(desk, event)}
      aria-label="Strategy tray"
    >
      <header className="ticket-head">
        <h2>{name === null || !name.isKnown ? 'Strategy' : name.text}</h2>
        <button type="button" className="close" aria-label="Close the tray" onClick={() => desk.hide()}>
          ✕
        </button>
      </header>
      {isOver ? <Expired desk={desk} /> : <Strategy {...{ desk, tray }} />}
    </section>
  );
}

interface TrayProps {
  readonly desk: TrayDesk;
  readonly tray: TrayState;
}

function Strategy({ desk, tray }: TrayProps): ReactNode {
  const { stores } = useTerminal();
  const session = useStore(stores.session, (state) => state.state);
  const formId = useId();
  const quoteOf = useQuotes(tray.legs);
  const order = orderOf(tray);
  const note = calendarNote(tray.legs);
  const acts = {
    setQty: (qty: string) => desk.edit({ qty }),
    // A combo has no limit at a mark.
    setLimit: () => {},
    lookAgain: () => void desk.lookAgain(),
  };
  const early = tray.advice === null ? desk.adviceOnPreview(tray) : null;
  return (
    <>
      <div className="ticket-body">
        <TrayPresets {...{ desk, tray }} />
        <p className="tray-fault" data-is-empty={tray.fault === null || undefined}>
          {tray.fault}
        </p>
        {tray.legs.length === 0 ? <NoLegs /> : <TrayLegs {...{ desk, tray, quoteOf }} />}
        {tray.legs.length === 1 && <p className="muted">One more leg makes an order of it.</p>}
        {note !== null && <p className="tray-note">{note}</p>}
        {tray.legs.length > 1 && <TrayForm {...{ desk, tray, quoteOf, id: formId }} />}
        {session !== 'ready' && <SignIn />}
        {order !== null && <TrayFigures {...{ tray, terms: order.terms, quoteOf }} />}
      </div>
      <footer className="ticket-foot">
        <Verdict order={tray} {...{ early, acts }} />
        <SendButton {...{ tray, formId, terms: order?.terms ?? null }} />
      </footer>
    </>
  );
}

function NoLegs(): ReactNode {
  return (
    <p className="muted">
      Or press prices in the chain with Shift, hold them, or use <kbd>+</kbd>: an ask is bought, a bid sold.
    </p>
  );
}

function Expired({ desk }: Pick<TrayProps, 'desk'>): ReactNode {
  useAnnouncement('A leg of the strategy has expired.');
  return (
    <div className="ticket-body">
      <p>
        <strong>A leg has expired.</strong> Orders were taken up to its cutoff. What is held waits for its
        settlement price.
      </p>
      <p className="acts">
        <button type="button" onClick={() => desk.turnExpiry(1)}>
          Same strikes, next expiry
        </button>
        <button type="button" onClick={() => desk.close()}>
          Empty the tray
        </button>
      </p>
    </div>
  );
}

interface SendButtonProps {
  readonly tray: TrayState;
  readonly formId: string;
  readonly terms: TrayTerms | null;
}

/** States what a press does; disabled only while there is no order. */
function SendButton({ tray, formId, terms }: SendButtonProps): ReactNode {
  const { stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const session = useStore(stores.session, (state) => state.state);
  const words = terms === null ? 'Choose a strategy' : orderWords(terms, Date.now());
  const whole = tray.isWhole && terms !== null ? ', all or nothing' : '';
  const anyway = tray.cautions.length > 0 ? 'Send anyway: ' : '';
  return (
    <button
      type="submit"
      form={formId}
      className="send"
      disabled={terms === null || session !== 'ready' || tray.sending !== 'no'}
    >
      {mode === 'paper' && <span className="paper-tag">PAPER </span>}
      {SENDING_TEXTS[tray.sending] ??
        `${anyway}${words}${whole}${terms === null ? '' : ` · ${totalText(tray, terms)}`}`}
    </button>
  );
}

const SENDING_TEXTS: Partial<Record<TrayState['sending'], string>> = {
  sending: 'Sending…',
  unknown: 'Checking…',
};

/** What changes hands for all of it, with the fee of what trades now. */
function totalText({ preview }: TrayState, { net, qty }: TrayTerms): string {
  if (preview !== null && preview.filledQty > 0) return formatUsd(Math.abs(preview.cost + preview.fee));
  const micros = Math.round(Math.abs(net * qty) * MICROS_PER_UNIT);
  return Number.isSafeInteger(micros) ? formatUsd(microsToDecimal(toMicros(micros))) : '…';
}

/** Esc puts the tray away, brackets turn the expiry, Ctrl+Enter sends. */
function pressInTray(desk: TrayDesk, event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if ((target as HTMLElement).closest('.sign-in') !== null) return;
  if ((ctrlKey || metaKey) && key === 'Enter') void desk.send();
  else if (ctrlKey || metaKey || altKey) return;
  else if (key === 'Escape') {
    desk.hide();
    focusChain();
  } else if (key === '[' || key === ']') desk.turnExpiry(key === ']' ? 1 : -1);
  else return;
  event.preventDefault();
}

/** Takes the focus unless legs are being collected in the chain, and gives it back to the chain. */
function useTrayFocus(place: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    if (document.activeElement?.closest('table.chain') == null)
      place.current?.querySelector('button')?.focus({ preventScroll: true });
    return () => {
      // After React has taken the elements away, and with them the focus.
      setTimeout(() => {
        if (document.activeElement === document.body) focusChain();
      });
    };
  }, [place]);
}

function focusChain(): void {
  const chain = document.querySelector<HTMLTableElement>('table.chain[role="grid"]');
  if (chain !== null) tabStopOf(chain)?.focus({ preventScroll: true });
}
