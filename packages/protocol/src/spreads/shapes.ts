/** The usual spreads, each as one table row: what a unit of it buys and sells. */

export type OptionLetter = 'C' | 'P';
export type LegSide = 'buy' | 'sell';

export interface ShapeLeg {
  /** `either`: the legs are all calls or all puts. */
  readonly right: OptionLetter | 'either';
  /** Bought or sold with a unit that is bought. */
  readonly side: LegSide;
  readonly ratio: number;
  /** Place of its strike among those of the spread; legs of one place have one strike. */
  readonly strike: number;
  /** Place of its expiry: the near one or the far one. */
  readonly expiry: 0 | 1;
}

export interface SpreadShape {
  /** As traders call it, without its right: `butterfly`. */
  readonly name: string;
  readonly legs: readonly ShapeLeg[];
  /**
   * The order of the strikes where it is not ascending: in either order, or from that of the dearer option, which is the
   * lower one of calls and the higher one of puts.
   */
  readonly order?: 'either' | 'dearer first';
  /** Its reverse is another trade without a name. */
  readonly isBoughtOnly?: true;
  /** The middle strike is as far from the lowest as from the highest. */
  readonly isEvenlySpaced?: true;
  /** The names of the strikes that a person gives for it; absent for one that is only recognised. */
  readonly strikes?: readonly string[];
  /** Such a person also says that it is bought or sold; else its strikes say so, or it is always bought. */
  readonly takesSide?: true;
  /** It is recognised as another one. */
  readonly isOnlyBuilt?: true;
}

function legOf(side: LegSide) {
  return (right: ShapeLeg['right'], strike: number, ratio = 1): ShapeLeg => {
    return { right, side, ratio, strike, expiry: 0 };
  };
}

const [buy, sell] = [legOf('buy'), legOf('sell')];

function far(leg: ShapeLeg): ShapeLeg {
  return { ...leg, expiry: 1 };
}

const FOUR = ['lowest', 'low', 'high', 'highest'];

/** In the order in which they are offered. Of legs on one side the first is shown first. */
export const SHAPES = {
  vertical: {
    name: 'spread',
    order: 'dearer first',
    strikes: ['bought', 'sold'],
    legs: [buy('either', 0), sell('either', 1)],
  },
  straddle: { name: 'straddle', strikes: ['strike'], takesSide: true, legs: [buy('C', 0), buy('P', 0)] },
  strangle: { name: 'strangle', strikes: ['put', 'call'], takesSide: true, legs: [buy('P', 0), buy('C', 1)] },
  butterfly: {
    name: 'butterfly',
    isEvenlySpaced: true,
    strikes: ['low', 'middle', 'high'],
    takesSide: true,
    legs: [buy('either', 0), sell('either', 1, 2), buy('either', 2)],
  },
  condor: {
    name: 'condor',
    strikes: FOUR,
    takesSide: true,
    legs: [buy('either', 0), sell('either', 1), sell('either', 2), buy('either', 3)],
  },
  // Sold, it brings in money: the inner two are sold, and the outer two limit the loss.
  ironCondor: {
    name: 'iron condor',
    strikes: FOUR,
    takesSide: true,
    legs: [sell('P', 0), buy('P', 1), buy('C', 2), sell('C', 3)],
  },
  calendar: {
    name: 'calendar',
    strikes: ['strike'],
    takesSide: true,
    legs: [far(buy('either', 0)), sell('either', 0)],
  },
  collar: { name: 'collar', strikes: ['put', 'call'], isBoughtOnly: true, legs: [buy('P', 0), sell('C', 1)] },
  coveredCall: {
    name: 'covered call',
    strikes: ['owned', 'sold'],
    isBoughtOnly: true,
    isOnlyBuilt: true,
    legs: [buy('C', 0), sell('C', 1)],
  },
  ironButterfly: { name: 'iron butterfly', legs: [sell('P', 0), buy('P', 1), buy('C', 1), sell('C', 2)] },
  diagonal: { name: 'diagonal', order: 'either', legs: [far(buy('either', 0)), sell('either', 1)] },
} as const satisfies Readonly<Record<string, SpreadShape>>;

export type ShapeKind = keyof typeof SHAPES;

/** The kinds that can be asked for by name. */
export type SpreadKind = Exclude<ShapeKind, 'ironButterfly' | 'diagonal'>;

export function shapeOf(kind: ShapeKind): SpreadShape {
  return SHAPES[kind];
}

/** The kinds that can be asked for by name, in the order in which they are offered. */
export const SPREAD_KINDS = (Object.keys(SHAPES) as ShapeKind[]).filter(
  (kind): kind is SpreadKind => shapeOf(kind).strikes !== undefined,
);

/** True for one that is of calls or of puts, as the trader says. */
export function takesRight({ legs }: SpreadShape): boolean {
  return legs.some(({ right }) => right === 'either');
}
