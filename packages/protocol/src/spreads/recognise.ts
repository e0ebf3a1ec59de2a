/** Names spreads by their legs. */

import {
  type LegSide,
  type OptionLetter,
  SHAPES,
  type ShapeKind,
  type SpreadShape,
  shapeOf,
} from './shapes.ts';

/** A leg by its terms. */
export interface SpreadPart {
  readonly right: OptionLetter;
  readonly strike: number;
  /** Unix seconds. */
  readonly expiryTs: number;
  readonly side: LegSide;
  /** Contracts of a unit. */
  readonly ratio: number;
}

export interface SpreadName {
  /** With its right: `call butterfly`. */
  readonly word: string;
  /** Bought or sold, as traders say it. */
  readonly side: LegSide;
}

const WORDS = { C: 'call', P: 'put' } as const;
const KINDS = (Object.keys(SHAPES) as ShapeKind[]).filter((kind) => !shapeOf(kind).isOnlyBuilt);

/**
 * The name that traders have for the legs, in any order; null if they have none.
 *
 * @example nameOfSpread(legs) // { word: 'call butterfly', side: 'buy' }
 */
export function nameOfSpread(parts: readonly SpreadPart[]): SpreadName | null {
  for (const kind of KINDS) {
    const side = sideOfSpread(kind, parts);
    if (side !== null) return { word: wordOf(kind, parts), side };
  }
  return ratioOf(parts) ?? rollOf(parts);
}

function wordOf(kind: ShapeKind, [first]: readonly SpreadPart[]): string {
  const { name, legs } = shapeOf(kind);
  return legs[0]!.right === 'either' ? `${WORDS[first!.right]} ${name}` : name;
}

/** The side of a spread of a kind whose legs these are, in any order; null if they are none. */
export function sideOfSpread(kind: ShapeKind, parts: readonly SpreadPart[]): LegSide | null {
  const shape = shapeOf(kind);
  if (parts.length !== shape.legs.length || !couldBe(shape, parts)) return null;
  const strikes = ascending(parts.map(({ strike }) => strike));
  if (shape.isEvenlySpaced && strikes[1]! - strikes[0]! !== strikes[2]! - strikes[1]!) return null;
  const isOfPuts = parts.every(({ right }) => right === 'P');
  if (shape.order === 'either')
    return sideAt(shape, parts, strikes) ?? sideAt(shape, parts, strikes.reverse());
  return sideAt(shape, parts, shape.order === 'dearer first' && isOfPuts ? strikes.reverse() : strikes);
}

/** Turns most legs away before anything is sorted. */
function couldBe({ legs }: SpreadShape, parts: readonly SpreadPart[]): boolean {
  const [first] = parts as [SpreadPart];
  const isOfOneRight = parts.every(({ right }) => right === first.right);
  const isOfOneExpiry = parts.every(({ expiryTs }) => expiryTs === first.expiryTs);
  return isOfOneRight === (legs[0]!.right === 'either') && isOfOneExpiry === (legs[0]!.expiry === 0);
}

function sideAt(
  { legs, isBoughtOnly }: SpreadShape,
  parts: readonly SpreadPart[],
  strikes: readonly number[],
): LegSide | null {
  const expiries = ascending(parts.map(({ expiryTs }) => expiryTs));
  let found: LegSide | null = null;
  for (const { right, side, ratio, strike, expiry } of legs) {
    const part = parts.find(
      (one) =>
        one.strike === strikes[strike] &&
        one.expiryTs === expiries[expiry] &&
        one.ratio === ratio &&
        (right === 'either' || one.right === right),
    );
    if (part === undefined) return null;
    const ofLeg = part.side === side ? 'buy' : 'sell';
    if (ofLeg !== (found ?? ofLeg)) return null;
    found = ofLeg;
  }
  return isBoughtOnly && found === 'sell' ? null : found;
}

function ascending(values: readonly number[]): number[] {
  return values.filter((value, i) => values.indexOf(value) === i).sort((a, b) => a - b);
}

/** One buys it by buying the leg of fewer contracts. */
function ratioOf(parts: readonly SpreadPart[]): SpreadName | null {
  const [low, high] = parts.toSorted((a, b) => a.strike - b.strike);
  if (parts.length !== 2 || low!.expiryTs !== high!.expiryTs || low!.ratio === high!.ratio) return null;
  if (low!.right !== high!.right || low!.strike === high!.strike || low!.side === high!.side) return null;
  const { side } = low!.ratio < high!.ratio ? low! : high!;
  return { word: `${low!.ratio}x${high!.ratio} ${WORDS[low!.right]} ratio`, side };
}

/** A spread closed at one expiry and opened at a later one; one buys the roll by buying the later spread. */
function rollOf(parts: readonly SpreadPart[]): SpreadName | null {
  const [nearTs, farTs, ...others] = ascending(parts.map(({ expiryTs }) => expiryTs));
  if (farTs === undefined || others.length > 0 || parts.length !== 4) return null;
  const near = parts.filter(({ expiryTs }) => expiryTs === nearTs);
  const far = parts.filter(({ expiryTs }) => expiryTs === farTs);
  const isMoved = far.every((to) =>
    near.some(
      ({ right, strike, ratio, side }) =>
        right === to.right && strike === to.strike && ratio === to.ratio && side !== to.side,
    ),
  );
  const name = isMoved && far.length === 2 ? nameOfSpread(far) : null;
  return name === null ? null : { ...name, word: `${name.word} roll` };
}
