/** How near the account is to a margin call, and in one, what ends it. */

import { type MarginReport, microsToDecimal } from '@venue/protocol';
import { type ReactNode, useEffect, useState } from 'react';
import { buyBacks, marginStanding, type Remedy } from '../core/margin-call.ts';
import { formatPercent, formatPrice, formatSize, formatUsd } from '../core/numbers.ts';
import { seriesLabel } from './series-label.ts';
import { useStore, useTerminal } from './terminal.ts';

const READ_EVERY_MS = 5_000;
/** Of equity; below it a report is not worth a read. */
const WORTH_A_LOOK = 0.5;

export function MarginBanner(): ReactNode {
  const { stores } = useTerminal();
  const account = useStore(stores.holdings, (state) => state.account);
  const isNear =
    account !== null &&
    account.maintenanceMargin > 0 &&
    (account.marginCall || account.maintenanceMargin > account.equity * WORTH_A_LOOK);
  const report = useReport(isNear);
  if (!isNear || report === null) return null;
  const standing = marginStanding(report);
  if (standing.level === 'none') return null;
  if (standing.level !== 'red') {
    return (
      <p className="margin-banner" data-level={standing.level} role="status">
        Maintenance margin takes {formatPercent(report.maintenanceMargin / report.equity, 0)} of your equity.
        At 100 % the account is called.
      </p>
    );
  }
  return <MarginCall report={report} />;
}

function MarginCall({ report }: { readonly report: MarginReport }): ReactNode {
  const { market, stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const asks = new Map(
    report.series.map(({ seriesId }) => {
      const leg = market.legOf(seriesId);
      const price = leg === undefined ? Number.NaN : market.value(leg, 'ask');
      const qty = leg === undefined ? Number.NaN : market.value(leg, 'askQty');
      return [seriesId, Number.isNaN(price) ? null : { price, qty }] as const;
    }),
  );
  const unit = mode === 'paper' ? 'paper $' : '$';
  return (
    <section className="margin-banner" data-level="red" role="alert">
      <strong>
        Margin call: equity {formatUsd(report.equity, unit)} is under the{' '}
        {formatUsd(report.maintenanceMargin, unit)} needed.
      </strong>
      <p>
        Within seconds the venue buys shorts back by itself. Until then only buying shorts back is taken;
        selling longs is refused.
      </p>
      <ul>
        {buyBacks(report, asks).map((remedy) => (
          <RemedyLine key={remedy.seriesId} remedy={remedy} />
        ))}
      </ul>
    </section>
  );
}

function RemedyLine({ remedy }: { readonly remedy: Remedy }): ReactNode {
  const { market, desk } = useTerminal();
  const name = seriesLabel(remedy.seriesId);
  if (remedy.kind === 'useless') return <li>{name}: nobody offers it at a price that helps.</li>;
  const qty = microsToDecimal(remedy.order.qtyMicros);
  const price = microsToDecimal(remedy.order.priceMicros);
  const leg = market.legOf(remedy.seriesId);
  return (
    <li>
      {name}: buy back {formatSize(qty)} at {formatPrice(price)}
      {remedy.kind === 'clears' ? ', which ends the call' : ', which helps'}{' '}
      {leg !== undefined && (
        <button
          type="button"
          onClick={() => {
            desk.pick(leg, 'buy', price);
            desk.edit({ qty: formatSize(qty) });
          }}
        >
          Buy back…
        </button>
      )}
    </li>
  );
}

function useReport(isWanted: boolean): MarginReport | null {
  const { client } = useTerminal();
  const [report, setReport] = useState<MarginReport | null>(null);
  useEffect(() => {
    if (!isWanted) {
      setReport(null);
      return undefined;
    }
    let isGone = false;
    const read = async () => {
      const next = await client.account.margin().catch(() => null);
      if (!isGone && next !== null) setReport(next);
    };
    void read();
    const timer = setInterval(() => void read(), READ_EVERY_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [client, isWanted]);
  return report;
}
