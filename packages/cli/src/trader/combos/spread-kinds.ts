/** The spreads that the command line knows by name, and the words that each takes. */

import { SPREAD_KINDS, type SpreadKind, shapeOf, takesRight } from '@venue/protocol/spreads';
import {
  type OptionRight,
  type Spread,
  type SpreadChain,
  type SpreadSide,
  type StrikeChoice,
  spread,
} from '@venue/sdk/spreads';
import { usageError } from '../../base/command-error.ts';
import { amountOf, orUsage } from '../../connection/arguments.ts';

/** The chains of the expiries that were chosen. */
export interface SpreadChains {
  readonly near: SpreadChain;
  /** The later expiry of a calendar; null for other spreads. */
  readonly far: SpreadChain | null;
}

/** Each kind by its word: `iron-condor`. */
const KINDS: ReadonlyMap<string, SpreadKind> = new Map(
  SPREAD_KINDS.map((kind) => [kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), kind]),
);

/** The words after the underlying. */
function wordsOf(kind: SpreadKind): string[] {
  const shape = shapeOf(kind);
  const words = [shape.takesSide ? ['buy|sell'] : [], takesRight(shape) ? ['call|put'] : []].flat();
  return [...words, ...(shape.strikes ?? []).map((strike) => strike.toUpperCase())];
}

/** A line for each kind: `vertical SYMBOL call|put BOUGHT SOLD`. */
export function spreadUsages(): string[] {
  return [...KINDS].map(([word, kind]) => [word, 'SYMBOL', ...wordsOf(kind)].join(' '));
}

/** Throws `CommandError` for a kind that is not there, and for words that it does not take. */
export function checkSpreadWords(word: string, words: readonly string[], hasFar: boolean): void {
  const kind = KINDS.get(word);
  if (kind === undefined) throw usageError(`a spread is ${[...KINDS.keys()].join(', ')}, not "${word}"`);
  const taken = wordsOf(kind);
  if (words.length !== taken.length)
    throw usageError(`it is written: venue spread ${word} SYMBOL ${taken.join(' ')}`);
  if (hasFar !== (kind === 'calendar'))
    throw usageError(
      hasFar ? '--far belongs to a calendar' : 'a calendar has two expiries: --far names the later one',
    );
}

/** The spread that the words ask for. Throws `CommandError` if they make none. */
export function spreadOf(word: string, words: readonly string[], { near, far }: SpreadChains): Spread {
  const kind = KINDS.get(word)!;
  const shape = shapeOf(kind);
  // The SDK refuses other words, in the same text for every program.
  const rest = words.map((one) => one.toLowerCase());
  const side = shape.takesSide && (rest.shift() as SpreadSide);
  const right = takesRight(shape) && (rest.shift() as OptionRight);
  return orUsage(() =>
    spread(kind, near, {
      ...(side && { side }),
      ...(right && { right }),
      strikes: rest.map(strikeOf),
      ...(far !== null && { far }),
    }),
  );
}

const ATM = /^atm(?:[+-]\d{1,3})?$/;

function strikeOf(text: string): StrikeChoice {
  return ATM.test(text) ? (text as StrikeChoice) : amountOf('a strike', text);
}
