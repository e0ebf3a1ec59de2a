/**
 * The result of an expiry: its price and how it was formed, or why it has none, and what that means for the account.
 */

import type { Position, RefusedExpiry, Settlement, SettlementSource } from '@venue/protocol';
import type { ReactNode } from 'react';
import { ageText } from '../../basics/age-text.ts';
import { expiryLabel, instantLabels } from '../../basics/dates.ts';
import { formatPnl, formatPosition, formatPrice, formatUsd, UNKNOWN } from '../../basics/numbers.ts';
import { momentLabel } from '../../basics/time-label.ts';
import { Rows } from '../../kit/Rows.tsx';
import { pnlClass, sideClass } from '../../kit/tones.ts';
import {
  handRange,
  intrinsicOf,
  type Payout,
  payoutsOf,
  percentOf,
  refusalText,
  waitingPositions,
} from '../../market/expiry-stage.ts';
import { seriesLabel } from '../../market/series-label.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import styles from './Settlement.module.css';

/** A settled expiry. */
export function Settled({ settlement }: { readonly settlement: Settlement }): ReactNode {
  const { symbol, expiryTs, price, by, decidedAt, dispersionBps } = settlement;
  const name = `${symbol} ${expiryLabel(expiryTs, Date.now())}`;
  return (
    <article className="settlement" aria-label={`${name}, settled`}>
      <header>
        <h2>
          {name} settled at <strong className="price">${formatPrice(price)}</strong>
        </h2>
        <p className="muted">
          {by === 'oracle'
            ? `By its price sources, ${afterText(expiryTs, decidedAt)} the cutoff at ${cutoffText(expiryTs)}.`
            : `By hand, ${momentLabel(decidedAt)}: the price sources had been refused. Two operators' secrets were needed, and the price had to lie near the last prints.`}
        </p>
      </header>
      <p>
        A call paid what {formatPrice(price)} is above its strike, a put what it is below; all others paid
        nothing.
      </p>
      <MyPayouts {...{ symbol, expiryTs }} />
      <h3>Where the price comes from</h3>
      <Sources {...{ expiryTs }} sources={settlement.sources} />
      <p className="muted">
        {by === 'oracle'
          ? `The price is the median of the averages that count. They lie ${dispersionText(dispersionBps)} apart; more than 1% would have been refused.`
          : `What the sources said when they were refused; their averages lie ${dispersionText(dispersionBps)} apart.`}
      </p>
      <NextExpiry />
      <Earlier expiryTs={expiryTs} />
    </article>
  );
}

/** An expiry that the oracle refused. */
export function InReview({ refused }: { readonly refused: RefusedExpiry }): ReactNode {
  const { symbol, expiryTs, sources } = refused;
  const name = `${symbol} ${expiryLabel(expiryTs, Date.now())}`;
  return (
    <article className="settlement" data-stage="review" aria-label={`${name}, in review`}>
      <header>
        <h2>
          {name} waits for review <span className={styles.tag}>not settled</span>
        </h2>
        <p>{refusalText(refused)}</p>
      </header>
      <Meanwhile refused={refused} />
      <Waiting refused={refused} />
      <h3>What the price sources said</h3>
      <Sources {...{ expiryTs, sources }} />
      <NextExpiry />
      <Earlier expiryTs={expiryTs} />
    </article>
  );
}

function Meanwhile({ refused }: { readonly refused: RefusedExpiry }): ReactNode {
  const range = handRange(refused);
  return (
    <ul className={styles.meanwhile}>
      <li>
        <strong>Positions are kept</strong> as they were at the cutoff. They cannot be traded.
      </li>
      <li>
        <strong>No cash has moved.</strong> Shorts stay margined, at what they would pay at the current price.
      </li>
      <li>
        <strong>Orders are gone:</strong> every resting order was cancelled, and what it had locked is free
        again.
      </li>
      {range === null ? (
        <li>
          <strong>It cannot be settled:</strong> no price source had printed at all, so that there is no
          anchor to settle near.
        </li>
      ) : (
        <li>
          <strong>An operator settles it by hand,</strong> with two secrets, within ±100 bps of the last
          prints' median, ${formatPrice(refused.anchor!)}: from ${formatPrice(range.low)} to $
          {formatPrice(range.high)} by the usual bound.
        </li>
      )}
      <li>
        <strong>There is no set date.</strong> It stays pending even when the sources come back.
      </li>
    </ul>
  );
}

/** The account's positions in a waiting expiry, and their possible payouts. */
function Waiting({ refused }: { readonly refused: RefusedExpiry }): ReactNode {
  const { stores } = useTerminal();
  const isSignedIn = useStore(stores.holdings, ({ account }) => account !== null);
  const positions = useStore(stores.holdings, (holdings) => holdings.positions);
  const waiting = waitingPositions(refused, positions.values());
  const range = handRange(refused);
  if (!isSignedIn) return <p className="muted">Sign in to see what you hold in it.</p>;
  if (waiting.length === 0) return <p className="muted">You hold nothing in it.</p>;
  const amounts = ({ qty, ...terms }: Position) =>
    range === null
      ? UNKNOWN
      : [range.low, range.high].map((price) => formatPnl(qty * intrinsicOf(terms, price), '$')).join(' … ');
  return (
    <>
      <h3>Your positions in it</h3>
      <Rows
        label="Positions awaiting settlement"
        items={waiting}
        keyOf={({ seriesId }) => seriesId}
        columns={[
          { head: 'Contract', cell: ({ seriesId }) => seriesLabel(seriesId) },
          {
            head: 'Position',
            cell: ({ qty }) => formatPosition(qty),
            className: ({ qty }) => sideClass(qty),
          },
          { head: 'Mark now', cell: ({ mark }) => formatPrice(mark) },
          { head: 'Would pay', cell: amounts },
        ]}
      />
    </>
  );
}

function MyPayouts({ symbol, expiryTs }: { readonly symbol: string; readonly expiryTs: number }): ReactNode {
  const { stores } = useTerminal();
  const isSignedIn = useStore(stores.holdings, ({ account }) => account !== null);
  const fills = useStore(stores.holdings, (holdings) => holdings.fills);
  if (!isSignedIn) return <p className="muted">Sign in to see what your positions got.</p>;
  const payouts = payoutsOf({ symbol, expiryTs }, fills);
  if (payouts.length === 0)
    return <p className="muted">You held nothing in it, or it is older than your fills on this page.</p>;
  const sum = (pick: (payout: Payout) => number) =>
    payouts.reduce((total, payout) => total + pick(payout), 0);
  return (
    <>
      <h3>
        Your payout:{' '}
        <strong>
          {formatPnl(
            sum(({ cash }) => cash),
            '$',
          )}
        </strong>
      </h3>
      <Rows
        label="Payouts on your positions"
        items={payouts}
        keyOf={({ id }) => id}
        columns={[
          { head: 'Contract', cell: ({ seriesId }) => seriesLabel(seriesId) },
          {
            head: 'Position',
            cell: ({ qty }) => formatPosition(qty),
            className: ({ qty }) => sideClass(qty),
          },
          { head: 'Payout each', cell: ({ payout }) => formatUsd(payout) },
          {
            head: 'Cash',
            cell: ({ cash }) => formatPnl(cash, '$'),
            className: ({ cash }) => pnlClass(cash),
          },
          {
            head: 'Realised',
            cell: ({ realized }) => formatPnl(realized, '$'),
            className: ({ realized }) => pnlClass(realized),
          },
        ]}
      />
    </>
  );
}

interface SourcesProps {
  readonly expiryTs: number;
  readonly sources: readonly SettlementSource[];
}

function Sources({ expiryTs, sources }: SourcesProps): ReactNode {
  if (sources.length === 0) return <p>None had printed.</p>;
  return (
    <Rows
      label="Price sources"
      items={sources}
      keyOf={({ source }) => source}
      columns={[
        { head: 'Source', cell: ({ source }) => source },
        {
          head: '30-minute average, $',
          cell: ({ average }) => (average === null ? UNKNOWN : formatPrice(average)),
        },
        { head: 'Last print, $', cell: ({ last }) => formatPrice(last) },
        { head: 'Before the cutoff', cell: ({ lastTs }) => ageText(expiryTs * 1_000 - lastTs) },
        { head: 'Counts', cell: ({ fresh }) => (fresh ? 'yes' : 'no, too old') },
      ]}
    />
  );
}

/** The button to the next trading expiry. */
function NextExpiry(): ReactNode {
  const { stores, actions } = useTerminal();
  const next = useStore(stores.listing, ({ expiries }) => expiries[0] ?? null);
  if (next === null) return null;
  return (
    <p className="acts">
      <button type="button" onClick={() => actions.selectExpiry(next)}>
        Trade the next expiry, {expiryLabel(next, Date.now())}
      </button>
    </p>
  );
}

const EARLIER = 20;

/** The underlying's other settlements. */
function Earlier({ expiryTs }: { readonly expiryTs: number }): ReactNode {
  const { stores } = useTerminal();
  const decided = useStore(stores.listing, (listing) => listing.settlements);
  const earlier = (decided?.settlements ?? []).filter((one) => one.expiryTs !== expiryTs).slice(0, EARLIER);
  if (earlier.length === 0) return null;
  return (
    <details>
      <summary>Other settlements of {earlier[0]!.symbol}</summary>
      <Rows
        label="Other settlements"
        items={earlier}
        keyOf={(one) => one.expiryTs}
        columns={[
          { head: 'Expiry', cell: (one) => expiryLabel(one.expiryTs, Date.now()) },
          { head: 'Price, $', cell: ({ price }) => formatPrice(price) },
          { head: 'By', cell: ({ by }) => (by === 'oracle' ? 'sources' : 'hand') },
          { head: 'Sources', cell: ({ sources }) => sources.filter(({ fresh }) => fresh).length },
          { head: 'Apart', cell: ({ dispersionBps }) => dispersionText(dispersionBps) },
        ]}
      />
    </details>
  );
}

function cutoffText(expiryTs: number): string {
  const { local, newYork } = instantLabels(expiryTs * 1_000);
  return local === newYork ? newYork : `${newYork} (here ${local})`;
}

function afterText(expiryTs: number, decidedAt: number): string {
  const seconds = Math.round(decidedAt / 1_000 - expiryTs);
  return seconds < 120 ? `${Math.max(0, seconds)} s after` : `${Math.round(seconds / 60)} minutes after`;
}

function dispersionText(bps: number | null): string {
  return bps === null ? UNKNOWN : percentOf(bps);
}
