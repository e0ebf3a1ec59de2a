/** Trades distinct series of one underlying at one net price: all of them in one entry, or none (CMB-1). */

import { underlyingOf } from '../series.ts';
import { defaulted, limit, optional, required } from './field.ts';
import { type ActionOf, kindOf, type PostedOf } from './kind.ts';
import { contracts, integerWithin, listOf, objectOf, price } from './schema.ts';
import { CLIENT_ID_VALUE } from './terms.ts';
import {
  amount,
  choice,
  isWithin,
  SERIES_ID,
  SIDE,
  type Side,
  signedAmount,
  type Value,
  whole,
} from './value.ts';

/** The legs of a combo, and the contracts of a leg in one unit of it (CMB-1). */
export const COMBO_LEGS_MIN = 2;
export const COMBO_LEGS_MAX = 4;
export const LEG_RATIO_MAX = 10;

/** One series of a combo. */
export interface ComboLeg {
  readonly seriesId: string;
  readonly side: Side;
  /** Contracts in one unit of the combo, 1 to `LEG_RATIO_MAX`. */
  readonly ratio: number;
}

const LEG = {
  seriesId: SERIES_ID,
  side: SIDE,
  ratio: whole(
    integerWithin(1, LEG_RATIO_MAX, 'Contracts in one unit of the combo'),
    isWithin(1, LEG_RATIO_MAX),
  ),
} satisfies { readonly [N in keyof ComboLeg]: Value<ComboLeg[N]> };

export const LEG_JSON = objectOf({
  seriesId: LEG.seriesId.schema,
  side: LEG.side.schema,
  ratio: LEG.ratio.schema,
});

export const LEGS: Value<readonly ComboLeg[], ComboLeg[]> = {
  schema: {
    ...listOf(LEG_JSON, COMBO_LEGS_MIN, COMBO_LEGS_MAX),
    description: 'Distinct series of one underlying, in the order in which they trade',
  },
  parse: (json) =>
    areLegs(json) ? json.map(({ seriesId, side, ratio }) => ({ seriesId, side, ratio })) : undefined,
  text: (legs) => legs.map(legText).join(','),
  isLogged: areLegs,
};

/** Distinct series of one underlying, read off their ids (CMB-1, DET-6). */
function areLegs(value: unknown): value is readonly ComboLeg[] {
  if (!Array.isArray(value) || value.length < COMBO_LEGS_MIN || value.length > COMBO_LEGS_MAX) return false;
  // Not `every`, which passes over the holes of a sparse array.
  if (!Array.from(value).every(isLeg)) return false;
  const ids = value.map(({ seriesId }) => seriesId);
  return new Set(ids).size === ids.length && new Set(ids.map(underlyingOf)).size === 1;
}

function isLeg(value: unknown): value is ComboLeg {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { seriesId, side, ratio } = value as Readonly<Record<string, unknown>>;
  return (
    Object.keys(value).every((name) => Object.hasOwn(LEG, name)) &&
    LEG.seriesId.isLogged(seriesId) &&
    LEG.side.isLogged(side) &&
    LEG.ratio.isLogged(ratio)
  );
}

function legText({ seriesId, side, ratio }: ComboLeg): string {
  return `${side}:${LEG.ratio.text(ratio, 'ratio')}:${LEG.seriesId.text(seriesId, 'seriesId')}`;
}

const NET = 'The most that a unit may cost, before fees; negative if it must bring in';

export const COMBO = kindOf(
  'combo',
  {
    /** In the order in which they trade. */
    legs: required('legs', LEGS),
    /** Units; 0 is well-formed and rejected as `bad qty`. */
    qtyMicros: required('qty', amount(contracts('Units, fractions allowed, exact to a millionth'))),
    /** The most that a unit may cost, before fees and rounding; negative if it must bring in. Null for no limit. */
    netMicros: limit('net', signedAmount(price(NET))),
    tif: defaulted('tif', choice(['ioc', 'fok']), 'ioc'),
    clientId: optional('clientId', CLIENT_ID_VALUE),
  },
  { readFirst: ['legs', 'clientId'], signedLast: ['legs'] },
);
export type ComboAction = ActionOf<typeof COMBO>;
export type ComboActionWire = PostedOf<typeof COMBO>;
