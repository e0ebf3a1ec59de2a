/** Shared by the verbs of a scenario: parses signatures, reports refusals. */

import assert from 'node:assert/strict';
import { MESSAGES, type MicrosLevel } from '@venue/protocol';
import type { Authorization } from '../src/entry/command.ts';
import { isRefused, type Refused } from '../src/entry/outcome.ts';
import { addressOf, micros, type Venue } from './venue.ts';
import { durationMs, type Words } from './words.ts';

/** `signed phone nonce +5s`: the nonce is relative to the current time. */
export function authorization(venue: Venue, words: Words): { authorization?: Authorization } {
  if (!words.takeIf('signed')) return {};
  const sessionKey = addressOf(words.take());
  assert.equal(words.take(), 'nonce');
  return {
    authorization: { sessionKey, nonce: venue.nowMs + durationMs(words.take()), signature: '0x' },
  };
}

/** An outcome, or the text of its refusal. */
export function succeeded<T extends object>(outcome: T | Refused): T | string {
  return isRefused(outcome) ? `refused ${MESSAGES[outcome.refusal].error}` : outcome;
}

/** `3.30x5 3.20x5`, best first; a dash for no levels. */
export function ladder(words: Words): MicrosLevel[] {
  const levels: MicrosLevel[] = [];
  if (words.takeIf('-')) return levels;
  for (let level = words.takeMatch(LEVEL); level !== undefined; level = words.takeMatch(LEVEL)) {
    const [price = '', qty = ''] = level.split('x');
    levels.push([micros(price), micros(qty)]);
  }
  return levels;
}

/** `3.30x5`: a price and a quantity. */
const LEVEL = /^-?[\d.]+x-?[\d.]+$/;
