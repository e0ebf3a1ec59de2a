/**
 * Remembers in the browser when the venue was last reached, so that a page that opens without a network says how old what
 * it knows is (INST-2). Of prices nothing is kept.
 */

import type { StoreApi } from 'zustand/vanilla';
import { ageText } from '../basics/age-text.ts';
import { readKept, type Storage, writeKept } from '../basics/kept.ts';
import type { Link } from './state.ts';

const KEPT = 'venue-reached';
const KEEP_MS = 10_000;
const MINUTE_MS = 60_000;

/**
 * When the venue was last reached at an earlier visit, in Unix ms of this machine; null if that is not known, or cannot
 * be, as the clock may have been set.
 */
export function lastReachedMs(storage: () => Storage, nowMs: number): number | null {
  const ms = readKept(storage, KEPT);
  return typeof ms === 'number' && ms > 0 && ms <= nowMs ? ms : null;
}

/** Keeps the time as long as the venue answers. Without storage nothing is known at the next visit. */
export function keepReached(storage: () => Storage, link: StoreApi<Link>, now: () => number): void {
  const keep = () => {
    if (link.getState().state === 'live') writeKept(storage, KEPT, now());
  };
  link.subscribe(({ state }, before) => {
    if (state !== before.state) keep();
  });
  setInterval(keep, KEEP_MS);
}

/**
 * How long ago an earlier visit was, in whole minutes at the least.
 *
 * @example agoText(90_000) // '1 min ago'
 */
export function agoText(ms: number): string {
  if (ms < MINUTE_MS) return 'less than a minute ago';
  return ms < 2 * MINUTE_MS ? '1 min ago' : `${ageText(ms)} ago`;
}
