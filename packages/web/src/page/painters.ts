/** Makes the painters of the page's chains, with the texts of each column. */

import { Painter } from '../areas/chain/core/painter.ts';
import {
  chainDecimals,
  formatColumnDelta,
  formatColumnSize,
  formatGamma,
  formatGreek,
  formatIv,
  formatPrice,
  UNKNOWN,
} from '../basics/numbers.ts';
import type { Column, Market } from '../market/market.ts';

/** Prices and gammas of every chain have the decimals that suit the spot of the main one. */
export function paintersBy(market: Market): (shown: Market) => Painter {
  const formatChainPrice = (price: number) =>
    formatPrice(price, chainDecimals(market.shape?.spot ?? Number.NaN));
  const formats: Readonly<Record<Column, (value: number) => string>> = {
    bid: formatChainPrice,
    ask: formatChainPrice,
    mark: formatChainPrice,
    bidQty: formatColumnSize,
    askQty: formatColumnSize,
    oi: formatColumnSize,
    volume: formatColumnSize,
    iv: formatIv,
    delta: formatColumnDelta,
    gamma: (gamma) => formatGamma(gamma, market.spot),
    theta: formatGreek,
    vega: formatGreek,
    bidIv: formatIv,
    askIv: formatIv,
  };
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  return (shown) =>
    new Painter({
      market: shown,
      format: (column, value) => (Number.isNaN(value) ? UNKNOWN : formats[column](value)),
      mayFlash: () => !reducedMotion.matches,
    });
}
