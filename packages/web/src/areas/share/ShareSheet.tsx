/** Shares an order's payoff as a picture and as a link: nothing in them is of the account (TERM-17). */

import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import '../../kit/Sheet.css';
import { useInk } from '../../kit/use-ink.ts';
import { useModal } from '../../kit/use-modal.ts';
import { venueNowMs } from '../../market/clock.ts';
import { useTerminal } from '../../terminal/terminal.ts';
import { usePayoff } from '../../terminal/use-payoff.ts';
import type { PayoffLeg } from '../order/core/payoff/payoff-leg.ts';
import { type Card, cardOf, cardWords } from './core/card.ts';
import { CARD, drawCard } from './draw-card.ts';
import styles from './ShareSheet.module.css';

export interface ShareSheetProps {
  readonly legs: readonly PayoffLeg[];
  readonly spot: number;
  readonly isWithoutFee: boolean;
  readonly onClose: () => void;
}

/** The order as it is when the sheet is opened: a picture that changes by itself is not what one has looked at. */
export function ShareSheet({ legs, spot, isWithoutFee, onClose }: ShareSheetProps): ReactNode {
  const { stores } = useTerminal();
  const dialog = useModal(true);
  const titleId = useId();
  const [taken] = useState(() => {
    const isPaper = stores.link.getState().mode !== 'deposits';
    return { spot, card: cardOf({ legs, spot, isWithoutFee, isPaper, atMs: venueNowMs(stores.link) }) };
  });
  return (
    <dialog
      ref={dialog}
      className={`sheet ${styles.share}`}
      aria-labelledby={titleId}
      onClose={onClose}
      // Its keys are not those of the ticket around it.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header className="sheet-head">
        <h2 id={titleId}>Share this payoff</h2>
        <button type="button" aria-label="Close" onClick={() => dialog.current?.close()}>
          ✕
        </button>
      </header>
      {taken.card === null ? (
        <p>There is no picture of this order: its amounts are beyond what the venue counts.</p>
      ) : (
        <Shared card={taken.card} spot={taken.spot} />
      )}
    </dialog>
  );
}

function Shared({ card, spot }: { readonly card: Card; readonly spot: number }): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const link = useRef<HTMLInputElement>(null);
  const isDrawn = useDrawing(canvas, { card, spot });
  const [said, setSaid] = useState('');
  const address = `${location.origin}${location.pathname}${card.hash}`;
  const copyLink = async () => {
    const isCopied = await attempt(() => navigator.clipboard.writeText(address));
    if (!isCopied) link.current?.select();
    setSaid(isCopied ? 'Link copied.' : 'The browser refused. The link is selected: copy it with Ctrl+C.');
  };
  const copyPicture = async () => {
    const item = () => new ClipboardItem({ 'image/png': pngOf(canvas.current!) });
    const isCopied = await attempt(() => navigator.clipboard.write([item()]));
    setSaid(isCopied ? 'Picture copied.' : 'The browser refused to copy a picture. Save it instead.');
  };
  const savePicture = async () => {
    const isSaved = await attempt(async () => save(await pngOf(canvas.current!), fileName(card)));
    setSaid(isSaved ? 'Picture saved.' : 'The browser could not make the picture.');
  };
  return (
    <>
      <canvas ref={canvas} {...CARD} role="img" aria-label={cardWords(card)} />
      <label>
        Link
        <input ref={link} readOnly value={address} onFocus={(event) => event.target.select()} />
      </label>
      <p className="acts">
        <button type="button" disabled={!isDrawn} onClick={() => void copyPicture()}>
          Copy picture
        </button>
        <button type="button" disabled={!isDrawn} onClick={() => void savePicture()}>
          Save picture
        </button>
        <button type="button" onClick={() => void copyLink()}>
          Copy link
        </button>
      </p>
      {/* Of its own: an open dialog silences the page's announcer. */}
      <p className={styles.said} role="status">
        {said}
      </p>
    </>
  );
}

/** True once the picture is there; it is drawn again where the scheme changes. */
function useDrawing(
  canvas: RefObject<HTMLCanvasElement | null>,
  { card, spot }: { readonly card: Card; readonly spot: number },
): boolean {
  const ink = useInk(canvas);
  const payoff = usePayoff(card.unit, { spot });
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context == null || ink === null || payoff === null) return;
    drawCard(context, { card, payoff, spot, ink });
    setDrawn(true);
  }, [canvas, card, spot, ink, payoff]);
  return isDrawn;
}

/** False where the browser refuses, or has no such function. */
async function attempt(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch {
    return false;
  }
}

function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)), 'image/png');
  });
}

async function save(blob: Blob, name: string): Promise<void> {
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  // The download has begun by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

function fileName({ title }: Card): string {
  return `${title.replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '')}.png`;
}
