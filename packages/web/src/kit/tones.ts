/** Classes for what a number means; its sign says it too, the colour only helps. */

/** A number that shows as 0.00 is neither. */
export function pnlClass(usd: number): 'loss' | 'gain' {
  return usd <= -HALF_A_CENT ? 'loss' : 'gain';
}

const HALF_A_CENT = 0.005;

/** Of contracts that are held, negative for a short. */
export function sideClass(qty: number): 'long' | 'short' {
  return qty > 0 ? 'long' : 'short';
}
