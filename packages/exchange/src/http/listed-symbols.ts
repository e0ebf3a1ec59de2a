import type { State } from '@venue/engine';

/**
 * The symbols of an unsigned cancel that the log needs: underlyings that do not exist pull nothing. Those of a signed one
 * stay, as no auditor could rebuild the text of its signature without them (BAT-7).
 */
export function listedSymbols({ instruments }: State, symbols: readonly string[]): string[] {
  return symbols.filter((symbol) => instruments.has(symbol));
}
