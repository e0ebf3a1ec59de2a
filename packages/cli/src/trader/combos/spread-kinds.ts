/** The spreads that the command line knows by name, and the words that each takes. */

import {
  butterfly,
  calendar,
  collar,
  condor,
  coveredCall,
  type FourStrikes,
  ironCondor,
  type OptionRight,
  type Spread,
  type SpreadChain,
  type SpreadSide,
  type StrikeChoice,
  straddle,
  strangle,
  vertical,
} from '@venue/sdk/spreads';
import { usageError } from '../../base/command-error.ts';
import { amountOf, orUsage } from '../../connection/arguments.ts';

/** The chains of the expiries that were chosen. */
export interface SpreadChains {
  readonly near: SpreadChain;
  /** The later expiry of a calendar; null for other spreads. */
  readonly far: SpreadChain | null;
}

interface Kind {
  /** The words after the underlying. */
  readonly takes: readonly string[];
  readonly make: (chains: SpreadChains, words: readonly string[]) => Spread;
}

const SIDE = 'buy|sell';
const RIGHT = 'call|put';

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  [
    'vertical',
    {
      takes: [RIGHT, 'BOUGHT', 'SOLD'],
      make: ({ near }, [right, buy, sell]) =>
        vertical(near, { right: rightOf(right), buy: strikeOf(buy), sell: strikeOf(sell) }),
    },
  ],
  [
    'straddle',
    {
      takes: [SIDE, 'STRIKE'],
      make: ({ near }, [side, strike]) => straddle(near, { side: sideOf(side), strike: strikeOf(strike) }),
    },
  ],
  [
    'strangle',
    {
      takes: [SIDE, 'PUT', 'CALL'],
      make: ({ near }, [side, put, call]) =>
        strangle(near, { side: sideOf(side), put: strikeOf(put), call: strikeOf(call) }),
    },
  ],
  [
    'butterfly',
    {
      takes: [SIDE, RIGHT, 'LOW', 'MIDDLE', 'HIGH'],
      make: ({ near }, [side, right, ...strikes]) =>
        butterfly(near, {
          side: sideOf(side),
          right: rightOf(right),
          strikes: strikes.map(strikeOf) as [StrikeChoice, StrikeChoice, StrikeChoice],
        }),
    },
  ],
  [
    'condor',
    {
      takes: [SIDE, RIGHT, 'LOWEST', 'LOW', 'HIGH', 'HIGHEST'],
      make: ({ near }, [side, right, ...strikes]) =>
        condor(near, { side: sideOf(side), right: rightOf(right), strikes: fourOf(strikes) }),
    },
  ],
  [
    'iron-condor',
    {
      takes: [SIDE, 'LOWEST', 'LOW', 'HIGH', 'HIGHEST'],
      make: ({ near }, [side, ...strikes]) =>
        ironCondor(near, { side: sideOf(side), strikes: fourOf(strikes) }),
    },
  ],
  [
    'calendar',
    {
      takes: [SIDE, RIGHT, 'STRIKE'],
      make: ({ near, far }, [side, right, strike]) => {
        if (far === null) throw usageError('a calendar has two expiries: --far names the later one');
        return calendar(near, far, { side: sideOf(side), right: rightOf(right), strike: strikeOf(strike) });
      },
    },
  ],
  [
    'collar',
    {
      takes: ['PUT', 'CALL'],
      make: ({ near }, [put, call]) => collar(near, { put: strikeOf(put), call: strikeOf(call) }),
    },
  ],
  [
    'covered-call',
    {
      takes: ['OWNED', 'SOLD'],
      make: ({ near }, [own, sell]) => coveredCall(near, { own: strikeOf(own), sell: strikeOf(sell) }),
    },
  ],
]);

/** A line for each kind: `vertical SYMBOL call|put BOUGHT SOLD`. */
export function spreadUsages(): string[] {
  return [...KINDS].map(([kind, { takes }]) => [kind, 'SYMBOL', ...takes].join(' '));
}

/** Throws `CommandError` for a kind that is not there, and for words that it does not take. */
export function checkSpreadWords(kind: string, words: readonly string[], hasFar: boolean): void {
  const found = KINDS.get(kind);
  if (found === undefined) throw usageError(`a spread is ${[...KINDS.keys()].join(', ')}, not "${kind}"`);
  if (words.length !== found.takes.length)
    throw usageError(`it is written: venue spread ${kind} SYMBOL ${found.takes.join(' ')}`);
  if (hasFar !== (kind === 'calendar'))
    throw usageError(
      hasFar ? '--far belongs to a calendar' : 'a calendar has two expiries: --far names the later one',
    );
}

/** The spread that the words ask for. Throws `CommandError` if they make none. */
export function spreadOf(kind: string, words: readonly string[], chains: SpreadChains): Spread {
  return orUsage(() => KINDS.get(kind)!.make(chains, words));
}

const ATM = /^atm(?:[+-]\d{1,3})?$/i;

function strikeOf(text = ''): StrikeChoice {
  return ATM.test(text) ? (text.toLowerCase() as StrikeChoice) : amountOf('a strike', text);
}

function fourOf(strikes: readonly string[]): FourStrikes {
  return strikes.map(strikeOf) as unknown as FourStrikes;
}

// The SDK refuses other words, in the same text for every program.
function sideOf(text = ''): SpreadSide {
  return text.toLowerCase() as SpreadSide;
}

function rightOf(text = ''): OptionRight {
  return text.toLowerCase() as OptionRight;
}
