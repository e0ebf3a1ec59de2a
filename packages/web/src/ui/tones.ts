/** Classes for what a number means; its sign says it too, the colour only helps. */

export function pnlClass(usd: number): 'loss' | 'gain' {
  return usd < 0 ? 'loss' : 'gain';
}

/** Of contracts that are held, negative for a short. */
export function sideClass(qty: number): 'long' | 'short' {
  return qty > 0 ? 'long' : 'short';
}
