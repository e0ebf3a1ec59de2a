/** Classes for the meaning of a number; its sign shows it too, so colour is only an aid. */

/** An amount shown as 0.00, or unknown, is neither. */
export function pnlClass(usd: number): 'loss' | 'gain' | undefined {
  if (usd <= -HALF_A_CENT) return 'loss';
  return usd >= HALF_A_CENT ? 'gain' : undefined;
}

const HALF_A_CENT = 0.005;

/** Class for a quantity held, negative for a short. */
export function sideClass(qty: number): 'long' | 'short' {
  return qty > 0 ? 'long' : 'short';
}
