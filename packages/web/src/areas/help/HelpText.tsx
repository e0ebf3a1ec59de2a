/** The list of keys, and the licences of the page's parts. */

import type { ReactNode } from 'react';
import { TourButton } from '../../kit/TourButton.tsx';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { OTHER_RELEASE } from '../notices/core/notices.ts';
import styles from './HelpText.module.css';

type KeyLine = readonly [keys: readonly string[], what: string];

const IN_CHAIN: readonly KeyLine[] = [
  [['←', '↑', '→', '↓'], 'Move between prices'],
  [['Home', 'End'], 'First and last price of the row; with Ctrl, of the column'],
  [['Page Up', 'Page Down'], 'Ten strikes up or down'],
  [['Enter'], 'Open the ticket at the price: ask to buy, bid to sell'],
  [['+', 'Shift+Enter'], 'Add the price as a leg of a strategy'],
  [['B', 'S'], 'Buy at the ask, sell at the bid'],
  [['[', ']'], 'Previous and next expiry'],
  [['W'], 'Put the contract on the watch list, or take it off'],
  [['Menu', 'Shift+F10'], 'Menu of the contract, as by a right-click'],
  [['A'], 'Centre on the at-the-money strike'],
  [['R'], 'Read the row aloud, for screen readers'],
];
const IN_TICKET: readonly KeyLine[] = [
  [['↑', '↓'], 'One step up or down; Shift for ten, Alt for a tenth'],
  [['U'], 'Use the current price'],
  [['W'], 'Put the contract on the watch list, or take it off'],
  [['Ctrl', 'Enter'], 'Send the order'],
  [['Esc'], 'Close the ticket and go back to the chain'],
];
const IN_TRAY: readonly KeyLine[] = [
  [['↑', '↓'], 'Move the leg of a chip to the next strike'],
  [['[', ']'], 'Previous and next expiry, with all legs'],
  [['Ctrl', 'Enter'], 'Send the order'],
  [['Esc'], 'Put the tray away; its legs stay'],
];
const ANYWHERE: readonly KeyLine[] = [
  [['/'], 'All symbols, and contracts as in SPX 5000p 18dec'],
  [['?'], 'Show this'],
];

export function HelpText(): ReactNode {
  return (
    <>
      <OtherRelease />
      <Keys title="In the chain" lines={IN_CHAIN} />
      <Keys title="In the ticket" lines={IN_TICKET} />
      <Keys title="In the strategy tray" lines={IN_TRAY} />
      <Keys title="Anywhere" lines={ANYWHERE} />
      <About />
    </>
  );
}

/** It is the person who reloads: there may be a ticket, or an order on its way. */
function OtherRelease(): ReactNode {
  const { stores } = useTerminal();
  const isReady = useStore(stores.view, (view) => view.isOtherReleaseReady);
  if (!isReady) return null;
  return (
    <p className={styles.otherRelease}>
      <strong>{OTHER_RELEASE}</strong>
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </p>
  );
}

function Keys({ title, lines }: { readonly title: string; readonly lines: readonly KeyLine[] }): ReactNode {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {lines.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function About(): ReactNode {
  return (
    <section>
      <h3>About</h3>
      <TourButton />
      <p>
        This page is a client of the venue's <a href="/docs">open API</a> and asks no other server for
        anything. Options are European and settle in cash at 20:00 in New York.
      </p>
      <p>
        Price charts by{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView
        </a>{' '}
        Lightweight Charts™. Typeface Inter, under the{' '}
        <a href="/assets/inter-licence.txt" target="_blank" rel="noreferrer">
          SIL Open Font License
        </a>
        .
      </p>
    </section>
  );
}
