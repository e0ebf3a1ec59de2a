/** Warns of an approaching margin call, and in one, shows what ends it. */

import { type MarginReport, microsToDecimal } from '@venue/protocol';
import { type ReactNode, useEffect, useState } from 'react';
import { formatPercent, formatPrice, formatSize, formatUsd } from '../../basics/numbers.ts';
import { seriesLabel } from '../../market/series-label.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useBooks } from '../../terminal/use-books.ts';
import { showPanel } from '../../view/show-panel.ts';
import { type Ask, buyBacks, marginStanding, type Remedy } from './core/margin-call.ts';
import styles from './MarginBanner.module.css';
import { useMarginReport } from './use-margin.ts';

/** Share of equity below which the margin report is not read. */
const WORTH_A_LOOK = 0.5;

export function MarginBanner(): ReactNode {
  const { stores } = useTerminal();
  const account = useStore(stores.holdings, (state) => state.account);
  const isNear =
    account !== null &&
    account.maintenanceMargin > 0 &&
    (account.marginCall || account.maintenanceMargin > account.equity * WORTH_A_LOOK);
  const report = useMarginReport(isNear);
  const calledSinceMs = useCalledSince(report?.marginCall ?? false);
  if (!isNear || report === null) return null;
  const standing = marginStanding(report);
  if (standing.level === 'none') return null;
  if (standing.level === 'red') return <MarginCall report={report} calledSinceMs={calledSinceMs} />;
  return (
    <p className={styles.marginBanner} data-level={standing.level}>
      <strong>{standing.level === 'orange' ? 'Close to a margin call' : 'Margin is running low'}</strong>
      <span>
        The maintenance margin is {formatPercent(standing.share, 0)} of your equity. At 100% you get a margin
        call, and the venue buys back your shorts.
      </span>
      <AlarmButton />
      <ShowAccountButton />
    </p>
  );
}

/** When this page first saw the call; null without one. */
function useCalledSince(isCalled: boolean): number | null {
  const [sinceMs, setSinceMs] = useState<number | null>(null);
  useEffect(() => {
    setSinceMs(isCalled ? Date.now() : null);
    if (isCalled) notifyOfCall();
  }, [isCalled]);
  return sinceMs;
}

interface MarginCallProps {
  readonly report: MarginReport;
  readonly calledSinceMs: number | null;
}

function MarginCall({ report, calledSinceMs }: MarginCallProps): ReactNode {
  const asks = useAsks(report);
  const { shortfallMicros } = marginStanding(report);
  const remedies = buyBacks(report, asks);
  return (
    <section className={styles.marginBanner} data-level="red" aria-label="Margin call">
      <p>
        <strong>Margin call: {formatUsd(microsToDecimal(shortfallMicros))} short.</strong> Equity{' '}
        {formatUsd(report.equity)}, maintenance margin {formatUsd(report.maintenanceMargin)}.{' '}
        <LiquidationText calledSinceMs={calledSinceMs} />
      </p>
      <p>Until then you can only buy back shorts, with cash. Selling longs is rejected.</p>
      <ul>
        {remedies.map((remedy) => (
          <RemedyLine key={remedy.seriesId} remedy={remedy} />
        ))}
      </ul>
    </section>
  );
}

/** Liquidation runs on a tick of some seconds, which clients cannot know to the second. */
const LIQUIDATION_FROM_S = 5;
const LIQUIDATION_TO_S = 10;

function LiquidationText({ calledSinceMs }: Pick<MarginCallProps, 'calledSinceMs'>): ReactNode {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const passedS = Math.floor(Math.max(0, nowMs - (calledSinceMs ?? nowMs)) / 1_000);
  const from = Math.max(0, LIQUIDATION_FROM_S - passedS);
  const to = Math.max(0, LIQUIDATION_TO_S - passedS);
  const when = to === 0 ? 'any moment now' : `in ${from} to ${to} s`;
  return <>The venue cancels your orders and buys back your shorts at market {when}.</>;
}

/** The button's effect on the call, in words. */
function effectOf(remedy: Exclude<Remedy, { kind: 'useless' }>): string {
  if (remedy.kind === 'clears')
    return remedy.order.movesMark ? 'clears it unless the price moves' : 'clears it';
  return `leaves ${formatUsd(microsToDecimal(remedy.leftMicros))} short${LIMITS[remedy.limit]}`;
}

const LIMITS = {
  short: '',
  ask: ': no more is offered at that price',
  cash: ': your cash covers no more',
  'resting-buys': ': your resting buys block the rest',
} as const;

const USELESS = {
  'no-ask': 'there are no offers',
  'too-dear': 'buying it back costs more than it frees',
  'no-cash': 'your cash covers none of it',
  'resting-buys': 'your resting buys already cover it; cancel them first',
} as const;

function RemedyLine({ remedy }: { readonly remedy: Remedy }): ReactNode {
  const { actions } = useTerminal();
  const { seriesId } = remedy;
  const name = seriesLabel(seriesId);
  if (remedy.kind === 'useless') {
    return (
      <li>
        {name}: {USELESS[remedy.why]}.
      </li>
    );
  }
  const qty = microsToDecimal(remedy.order.qtyMicros);
  const price = microsToDecimal(remedy.order.priceMicros);
  const press = () => actions.placeOrder({ seriesId, side: 'buy', qty, price });
  return (
    <li>
      {name}{' '}
      <button type="button" onClick={press}>
        Buy back {formatSize(qty)} at {formatPrice(price)}
      </button>{' '}
      {effectOf(remedy)}
    </li>
  );
}

function ShowAccountButton(): ReactNode {
  const { stores } = useTerminal();
  return (
    <button type="button" onClick={() => showPanel(stores, 'Account')}>
      Show the account
    </button>
  );
}

/** Permission is requested only by a press, and notifications are sent only for a call while the page is hidden. */
function AlarmButton(): ReactNode {
  const [state, setState] = useState(() => ('Notification' in window ? Notification.permission : 'denied'));
  if (state !== 'default') return null;
  return (
    <button type="button" onClick={async () => setState(await Notification.requestPermission())}>
      Notify me of a margin call
    </button>
  );
}

function notifyOfCall(): void {
  if (document.visibilityState === 'visible' || !('Notification' in window)) return;
  if (Notification.permission === 'granted') {
    new Notification('Margin call', { body: 'The venue buys back your shorts within seconds.' });
  }
}

/** The best asks of all shorts: from the chain where it shows them, else from their books. */
function useAsks(report: MarginReport): ReadonlyMap<string, Ask> {
  const { market } = useTerminal();
  const shorts = report.series.filter(({ qty }) => qty < 0).map(({ seriesId }) => seriesId);
  const books = useBooks(shorts.filter((seriesId) => market.legOf(seriesId) === undefined));
  return new Map(
    shorts.map((seriesId) => {
      const leg = market.legOf(seriesId);
      if (leg === undefined) return [seriesId, books.get(seriesId)?.asks[0] ?? null];
      const [price, qty] = [market.value(leg, 'ask'), market.value(leg, 'askQty')];
      return [seriesId, Number.isNaN(price) ? null : { price, qty }];
    }),
  );
}
