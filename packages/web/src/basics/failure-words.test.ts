import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusedError, VenueUnreachableError } from '@venue/sdk/browser';
import { messageOf } from './failure-words.ts';

test('a refusal keeps the venue’s words, and a lost connection shows neither address nor the browser’s reason', () => {
  assert.equal(messageOf(new RefusedError(400, 'bad price')), 'bad price');
  const lost = new VenueUnreachableError('no answer from https://venue.example: Failed to fetch');
  assert.equal(messageOf(lost), 'the venue is not responding');
});
