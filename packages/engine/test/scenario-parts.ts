/** Shared by the verbs of a scenario: parses signatures, reports refusals. */

import assert from 'node:assert/strict';
import { MESSAGES } from '@venue/protocol';
import type { Authorization } from '../src/entry/command.ts';
import { isRefused, type Refused } from '../src/entry/outcome.ts';
import { addressOf, type Venue } from './venue.ts';
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
