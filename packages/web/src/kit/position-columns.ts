/** Names of the columns of the positions. */

import type { PositionChoice } from '../view/columns.ts';

export const POSITION_NAMES: Readonly<Record<PositionChoice, string>> = {
  avgPrice: 'Avg price',
  mark: 'Mark',
  value: 'Value',
  unrealized: 'Unrealised P&L',
  realized: 'Realised P&L',
  delta: 'Delta',
  gamma: 'Gamma',
  theta: 'Theta',
  vega: 'Vega',
  iv: 'IV of mark',
};

/** The page's own choice. */
export const USUAL_POSITIONS: readonly PositionChoice[] = [
  ...(['avgPrice', 'mark', 'value', 'unrealized'] as const),
  ...(['delta', 'theta', 'vega'] as const),
];
