/** The consequences of the order: greatest loss and gain, break-evens, chance, margin by the venue, and the payoff. */

import type { Outcome } from '@venue/sdk/spreads';
import type { ReactNode } from 'react';
import { expiryLabel } from '../../../basics/dates.ts';
import { formatPercent, formatPrice, formatSize, UNKNOWN } from '../../../basics/numbers.ts';
import { Amounts } from '../../../kit/Amounts.tsx';
import { venueNowMs } from '../../../market/clock.ts';
import { smilesOf } from '../../../market/smile.ts';
import { yearsUntil } from '../../../market/years.ts';
import { useStore, useTerminal } from '../../../terminal/terminal.ts';
import { useEstimate } from '../../../terminal/use-settles-near.ts';
import { Figures, venueRows } from '../Consequences.tsx';
import type { Tray } from '../core/form/order.ts';
import { aimOf } from '../core/tray/aim.ts';
import { chanceOfProfit } from '../core/tray/chance.ts';
import { namedLegs } from '../core/tray/legs.ts';
import { type NearFigures, nearFigures } from '../core/tray/near-figures.ts';
import { netsOf, type QuoteOf } from '../core/tray/net.ts';
import { boundText, closeLine, outcomeLine } from '../core/tray/outcome-line.ts';
import { bookAfter, realizedBy, type TrayTerms, tradesNothing } from '../core/tray/terms.ts';
import { nothingWords } from '../core/tray/words.ts';
import { OrderPayoff } from '../PayoffPicture.tsx';
import type { TrayConsequences } from './use-consequences.ts';

interface TrayOutcomeProps {
  readonly tray: Tray;
  /** Null while there is no order. */
  readonly consequences: TrayConsequences | null;
}

/** The outcome over the button, always in sight; two lines at most, whose room is always there. */
export function TrayOutcome({ tray, consequences }: TrayOutcomeProps): ReactNode {
  const { stores } = useTerminal();
  const positions = useStore(stores.holdings, (holdings) => holdings.positions);
  const fills = useStore(stores.holdings, (holdings) => holdings.fills);
  const named = namedLegs(tray.legs);
  const estimate = useEstimate(named[0]?.symbol ?? '', Math.min(...named.map(({ expiryTs }) => expiryTs)));
  if (consequences === null || consequences.found === null) return <p className="order-outcome" />;
  const { terms, found, payoff } = consequences;
  const { counted } = found;
  const aim = aimOf(tray);
  if (aim !== 'trade') {
    const after = bookAfter(terms, counted, { positions: positions.values(), fills });
    const realized = aim === 'close' ? realizedBy(terms, counted, positions) : null;
    return (
      <p className="order-outcome">
        <Amounts text={closeLine(realized, counted, after)} />
      </p>
    );
  }
  const figures = nearFigures(terms, found, payoff);
  if (figures === null) return <p className="order-outcome" />;
  // Two lines have no room for both, and the break-evens are among the figures.
  const of = [
    ...(counted.units < terms.qty ? [`For ${formatSize(counted.units)}`] : []),
    ...(figures.expiryTs === null ? [] : [`On ${expiryLabel(figures.expiryTs, Date.now())}`]),
  ].join(', ');
  return (
    <p className="order-outcome">
      <Amounts
        text={outcomeLine(
          figures.isOpenAfter ? { ...figures, breakEvens: [] } : figures,
          of === '' ? null : of,
          estimate,
        )}
      />
      {figures.isOpenAfter && ' · held longer, max loss unlimited'}
    </p>
  );
}

interface TrayFiguresProps {
  readonly tray: Tray;
  readonly consequences: TrayConsequences;
  readonly quoteOf: QuoteOf;
}

export function TrayFigures({ tray, consequences, quoteOf }: TrayFiguresProps): ReactNode {
  const { terms, symbol, found, own, payoff } = consequences;
  const isTrade = aimOf(tray) === 'trade';
  if (found === null) return <p className="fault">More than the venue can count.</p>;
  const note = found.counted.hasFee ? '' : ' Without the fee.';
  const { fee, locked, margin, power } = venueRows(tray.preview);
  return (
    <>
      <p className="foreseen">{filledText(tray, terms, netsOf(tray.legs, quoteOf).touch)}</p>
      {isTrade && <Outcomes figures={nearFigures(terms, found, payoff)} {...{ consequences }} />}
      <Figures rows={[fee, locked, margin, power]} />
      <OrderPayoff first={isTrade ? 'order' : 'book'} {...{ symbol, own, note }} />
    </>
  );
}

/** The part that would trade now, which the figures are for; where nothing would, they are for all of it. */
function filledText({ preview, previewFault }: Tray, terms: TrayTerms, touch: number): string {
  if (previewFault !== null) return `No preview: ${previewFault}`;
  if (preview === null) return '…';
  // The reason stands over the button, with what helps.
  if (preview.status === 'rejected') return 'The venue would reject it.';
  const qty = formatSize(terms.qty);
  if (tradesNothing(preview)) return `${nothingWords(terms, touch)} The figures are for all ${qty}.`;
  const price = formatPrice(Math.abs(preview.cost) / preview.filledQty);
  if (preview.filledQty >= terms.qty) return `Trades all ${qty} at once, at ${price} a unit.`;
  return `For the ${formatSize(preview.filledQty)} of ${qty} that trade at once, at ${price} a unit:`;
}

interface OutcomesProps {
  /** Null while they are not known. */
  readonly figures: NearFigures | null;
  readonly consequences: TrayConsequences;
}

function Outcomes({ figures, consequences }: OutcomesProps): ReactNode {
  const chance = useChance(consequences);
  const { greatestLoss, greatestGain, breakEvens } = figures ?? NO_FIGURES;
  const ofExpiry = figures?.expiryTs ?? null;
  const on = ofExpiry === null ? '' : ` on ${expiryLabel(ofExpiry, Date.now())}`;
  const evens = breakEvens.length === 0 ? UNKNOWN : breakEvens.map((at) => formatPrice(at)).join(', ');
  const bound = (amount: number | null) => (figures === null ? UNKNOWN : boundText(amount));
  return (
    <Figures
      rows={[
        [`Max loss${on}`, bound(greatestLoss), 'greatest loss'],
        ...(figures?.isOpenAfter === true ? ([['Loss that margin counts', 'unlimited']] as const) : []),
        [`Max profit${on}`, bound(greatestGain)],
        [`${breakEvens.length > 1 ? 'Break-evens' : 'Break-even'}${on}`, evens, 'break-even'],
        ['Probability of profit', chance, 'chance of profit'],
      ]}
    />
  );
}

const NO_FIGURES: Outcome = { greatestLoss: null, greatestGain: null, breakEvens: [] };

/** At the first expiry, in words; later legs count at their model value then. */
function useChance({ symbol, spot, payoff }: TrayConsequences): string {
  const { stores, chains } = useTerminal();
  if (payoff === null || payoff.leftOutAtExpiry.length > 0) return UNKNOWN;
  const { expiryTs, regions, isExact } = payoff;
  const nowMs = venueNowMs(stores.link);
  const chain = chains.get(symbol, expiryTs);
  const smile = (chain === null ? [] : smilesOf([chain]))[0]?.points ?? [];
  const chance = chanceOfProfit(regions, { spot, years: yearsUntil(expiryTs, nowMs), smile });
  if (chance === null) return UNKNOWN;
  return `${formatPercent(chance, 0)}${isExact ? '' : ` on ${expiryLabel(expiryTs, nowMs)}`}`;
}
