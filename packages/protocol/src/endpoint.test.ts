import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHeaderText, venueUrlFault } from './endpoint.ts';

test('CRED-1: a secret is printable ASCII without spaces', () => {
  assert.equal(isHeaderText('aZ09!~'), true);
  for (const text of ['', 'a b', 'a\n', 'a\u007f', 'é', '\ta']) assert.equal(isHeaderText(text), false, text);
});

test('CRED-1: an address with a user or a password is refused, and the message does not repeat it', () => {
  for (const text of ['http://ann:s3cret@venue', 'https://ann@venue', 'ann:s3cret@venue'])
    assert.equal(venueUrlFault(text), 'must be an http address without user and password');
  assert.equal(venueUrlFault('venue'), 'must be an http address, not "venue"');
  assert.equal(venueUrlFault('https://venue/api'), null);
});
