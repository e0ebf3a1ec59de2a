import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkState } from '../market/state.ts';
import { type OwnState, ownState, unknownWords } from './own-state.ts';
import type { SessionState } from './state.ts';

const SESSIONS: readonly SessionState[] = [
  ...(['none', 'restoring', 'connecting', 'signing', 'ready', 'expired', 'revoked'] as const),
];
const LINKS: readonly LinkState[] = ['connecting', 'live', 'late', 'stale', 'offline'];

test('TERM-21: an account is known once the venue has told of it, and never before', () => {
  for (const session of SESSIONS)
    for (const link of LINKS) {
      assert.equal(ownState({ session, link, isTold: true }), 'known');
      const state = ownState({ session, link, isTold: false });
      assert.notEqual(state, 'known');
      const words = unknownWords(state as Exclude<OwnState, 'known'>, {
        what: 'your orders',
        as: 'as Paper 1',
      });
      assert.match(words, /your orders/);
      assert.doesNotMatch(words, /\b(?:no|none|nothing)\b/i);
    }
});

test('TERM-21: an ended session names who goes on, and a venue that is away is waited for', () => {
  const words = (session: SessionState, link: LinkState, as: string | null) =>
    unknownWords(ownState({ session, link, isTold: false }) as Exclude<OwnState, 'known'>, {
      what: 'your positions',
      as,
    });
  assert.equal(
    words('expired', 'offline', 'as Paper 1'),
    'Your session has ended. Continue as Paper 1 to see your positions.',
  );
  assert.equal(
    words('revoked', 'live', null),
    'Your session has ended. Sign in again to see your positions.',
  );
  assert.match(words('ready', 'offline', null), /does not answer/);
  assert.match(words('restoring', 'offline', null), /does not answer/);
  assert.match(words('ready', 'late', null), /^Reading/);
});
