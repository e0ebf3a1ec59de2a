/**
 * Keeps of the tray what the page's address does not say, kind and quantity, as long as the tab: a reload goes on where it
 * was. What is found there holds only for the very legs of the address, and only as far as it makes sense with them.
 */

import type { SpreadLeg } from '@venue/sdk/spreads';
import { membersOf, readKept, type Storage, writeKept } from '../../../../basics/kept.ts';
import { parseAmount } from '../../../../basics/numbers.ts';
import type { Preset, PresetKind, Tray } from '../form/order.ts';
import { namedLegs } from './legs.ts';
import { type Listed, PRESETS, spreadOf } from './presets.ts';

const KEPT = 'venue-tray';
const QTY_CHARACTERS_MAX = 40;

type Kept = Pick<Tray, 'qty' | 'preset' | 'isClosing'>;

export class KeptTray {
  readonly #storage: () => Storage;

  constructor(storage: () => Storage) {
    this.#storage = storage;
  }

  /** Without storage, or with a full one, a reload has the legs of the address and nothing else. */
  keep({ legs, qty, preset, isClosing }: Kept & Pick<Tray, 'legs'>): void {
    const kept = legs.length === 0 ? null : { legs: keyOf(legs), qty, preset, isClosing };
    writeKept(this.#storage, KEPT, kept);
  }

  /** Kind and quantity kept for these legs: one unit of no known kind where there is nothing, or nonsense. */
  find(legs: readonly SpreadLeg[], listed: Listed): Kept {
    const kept = membersOf(readKept(this.#storage, KEPT));
    if (kept.legs !== keyOf(legs)) return { qty: '1', preset: null, isClosing: false };
    return {
      qty: isQty(kept.qty) ? kept.qty : '1',
      preset: isPreset(kept.preset) ? fitted(kept.preset, legs, listed) : null,
      isClosing: kept.isClosing === true,
    };
  }
}

function keyOf(legs: readonly SpreadLeg[]): string {
  return legs
    .map(({ side, ratio, seriesId }) => `${side}${ratio}.${seriesId}`)
    .sort()
    .join();
}

function isQty(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > QTY_CHARACTERS_MAX) return false;
  const amount = parseAmount(value);
  return amount.ok && amount.micros > 0;
}

function isPreset(value: unknown): value is Preset {
  const { kind, side, right, width, shift, shorts, expiryTs } = membersOf(value);
  const isPair = Array.isArray(shorts) && shorts.length === 2 && shorts.every(Number.isSafeInteger);
  return (
    typeof kind === 'string' &&
    Object.hasOwn(PRESETS, kind as PresetKind) &&
    (side === 'buy' || side === 'sell') &&
    (right === 'call' || right === 'put') &&
    Number.isSafeInteger(width) &&
    (width as number) > 0 &&
    Number.isSafeInteger(shift) &&
    (shorts === null || isPair) &&
    Number.isSafeInteger(expiryTs)
  );
}

/** The preset at the distance from the money at which it makes these legs, for the money may have moved; else null. */
function fitted(preset: Preset, legs: readonly SpreadLeg[], listed: Listed): Preset | null {
  const strikes = listed.strikes.get(preset.expiryTs) ?? [];
  const spot = listed.spot > 0 ? listed.spot : strikes[0];
  if (spot === undefined || namedLegs(legs)[0]?.symbol !== listed.symbol) return null;
  for (let shift = -2 * strikes.length; shift <= 2 * strikes.length; shift++) {
    const one = { ...preset, shift };
    // Without a price the money is not known, and the distance stays as it was.
    if (makes(one, legs, { ...listed, spot })) return listed.spot > 0 ? one : preset;
  }
  return null;
}

function makes(preset: Preset, legs: readonly SpreadLeg[], listed: Listed): boolean {
  try {
    return keyOf(spreadOf(preset, listed).legs) === keyOf(legs);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
