/** The strategy tray: legs, one net price, and what one combo would do to the account, before it is sent. */

import { microsToDecimal } from '@venue/protocol';
import { type KeyboardEvent, type ReactNode, use, useEffect, useId, useRef } from 'react';
import { parseAmount } from '../../../basics/numbers.ts';
import { SignIn } from '../../../kit/SignIn.tsx';
import { useMatches } from '../../../kit/use-size.ts';
import { useStore, useTerminal } from '../../../terminal/terminal.ts';
import { useAnnouncement } from '../../../terminal/use-announcement.ts';
import { useVenueNow } from '../../../terminal/use-venue-now.ts';
import { focusChain } from '../../chain/chain-keys.ts';
import { cutoffMs, type Tray as TrayState } from '../core/form/order.ts';
import { aimOf, trayTitle } from '../core/tray/aim.ts';
import type { TrayDesk } from '../core/tray/desk.ts';
import { missingText, traySendWords } from '../core/tray/send-words.ts';
import { orderOf } from '../core/tray/terms.ts';
import { calendarNote, spreadName } from '../core/tray/words.ts';
import { SendButton } from '../SendButton.tsx';
import { Verdict } from '../Verdict.tsx';
import { MarginOffer } from './MarginOffer.tsx';
import { RestingNote } from './RestingNote.tsx';
import { TrayBar } from './TrayBar.tsx';
import { TrayFigures, TrayOutcome } from './TrayFigures.tsx';
import { TrayForm } from './TrayForm.tsx';
import { TrayLegs } from './TrayLegs.tsx';
import { TrayPresets } from './TrayPresets.tsx';
import { useConsequences } from './use-consequences.ts';
import { useQuotes } from './use-quotes.ts';
import '../Ticket.css';
import './Tray.css';

interface TrayProps {
  readonly desk: TrayDesk;
  readonly tray: TrayState;
}

export function Tray(): ReactNode {
  const { stores, trayDesk } = useTerminal();
  const desk = use(trayDesk());
  const tray = useStore(stores.tray, (state) => state);
  const isPhone = useMatches('(width < 768px)');
  if (isPhone && tray.isCollecting && tray.legs.length > 0) return <TrayBar {...{ desk, tray }} />;
  return <WholeTray {...{ desk, tray }} />;
}

function WholeTray({ desk, tray }: TrayProps): ReactNode {
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
      data-rolls={tray.rolls !== null || undefined}
      data-is-sent={tray.sending !== 'no' || undefined}
      onKeyDown={(event) => pressInTray(desk, event)}
      aria-label="Strategy tray"
    >
      <header className="ticket-head">
        <h2>{trayTitle(tray, amountOf(tray.qty), Date.now())}</h2>
        <button type="button" className="close" aria-label="Close the tray" onClick={() => desk.hide()}>
          ✕
        </button>
      </header>
      {isOver ? <Expired desk={desk} /> : <Strategy {...{ desk, tray }} />}
    </section>
  );
}

function amountOf(typed: string): number | null {
  const amount = parseAmount(typed);
  return amount.ok ? microsToDecimal(amount.micros) : null;
}

function Strategy({ desk, tray }: TrayProps): ReactNode {
  const { stores } = useTerminal();
  const session = useStore(stores.session, (state) => state.state);
  const formId = useId();
  const quoteOf = useQuotes(tray.legs);
  const order = orderOf(tray);
  const consequences = useConsequences(order?.terms ?? null, tray, quoteOf);
  // What closes a position is not margined, whatever stands far from it.
  const note = aimOf(tray) === 'trade' ? calendarNote(tray.legs) : null;
  const early = tray.advice === null ? desk.adviceOnPreview(tray) : null;
  const isOff = (tray.advice?.advice ?? early)?.kind === 'margin-off';
  return (
    <>
      <div className="ticket-body">
        <TrayPresets {...{ desk, tray }} />
        <p className="tray-fault" data-is-empty={tray.fault === null || undefined}>
          {tray.fault}
        </p>
        {tray.legs.length === 0 ? <NoLegs /> : <TrayLegs {...{ desk, tray, quoteOf }} />}
        {tray.legs.length === 1 && <p className="muted">Add a second leg.</p>}
        {note !== null && <p className="tray-note">{note}</p>}
        {order !== null && aimOf(tray) !== 'trade' && <RestingNote terms={order.terms} />}
        {tray.legs.length > 1 && <TrayForm {...{ desk, tray, quoteOf, id: formId }} />}
        {session !== 'ready' && <SignIn />}
        {consequences !== null && <TrayFigures {...{ tray, consequences, quoteOf }} />}
      </div>
      <footer className="ticket-foot">
        <Verdict {...{ order: tray, early, desk }} isOffered={isOff}>
          <MarginOffer terms={order?.terms ?? null} isOff={isOff} />
        </Verdict>
        <TrayOutcome {...{ tray, consequences }} />
        <SendButton
          formId={formId}
          sending={tray.sending}
          isWhole={order !== null}
          isVain={isOff || tray.preview?.status === 'rejected'}
          words={order === null ? missingText(tray) : traySendWords(tray, order.terms, Date.now())}
        />
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
        <strong>A leg has expired.</strong> Its trading has ended. Positions settle at the settlement price.
      </p>
      <p className="acts">
        <button type="button" onClick={() => desk.turnExpiry(1)}>
          Same strikes, next expiry
        </button>
        <button type="button" onClick={() => desk.close()}>
          Clear the legs
        </button>
      </p>
    </div>
  );
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
