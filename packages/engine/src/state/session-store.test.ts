import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Address } from '@venue/protocol';
import { Random } from '../../sim/random.ts';
import { SessionRecord } from './session.ts';
import { SessionStore } from './session-store.ts';

const NOW_MS = Date.UTC(2026, 5, 1);
const STEPS = 6_000;

/** The required form of a row: an object of its own. */
interface Plain {
  readonly sessionKey: Address;
  expiresAt: number;
  approvedAt: number;
  revokedAt: number | null;
  readonly supersededExpiries: Set<number>;
  readonly nonces: Set<number>;
  /** Resting orders that the key has signed. */
  orders: number;
  isRemembered: boolean;
}

function plainOf(sessionKey: Address): Plain {
  const own = { expiresAt: 0, approvedAt: 0, revokedAt: null, orders: 0, isRemembered: true };
  return { sessionKey, ...own, supersededExpiries: new Set(), nonces: new Set() };
}

/** Does one thing to a session, at random, and the same to its model. */
function change(random: Random, store: SessionStore, session: SessionRecord, plain: Plain): void {
  const ts = NOW_MS + random.between(-300, 300);
  const what = random.between(0, 9);
  if (what === 0) {
    session.expiresAt = plain.expiresAt = ts;
    session.approvedAt = plain.approvedAt = ts - 1;
    session.revokedAt = plain.revokedAt = random.chance(0.5) ? ts : null;
  } else if (what === 1) {
    session.supersededExpiries.add(ts);
    plain.supersededExpiries.add(ts);
  } else if (what === 2) {
    session.nonces.pruneBelow(ts);
    for (const nonce of plain.nonces) if (nonce < ts) plain.nonces.delete(nonce);
  } else if (what === 3) {
    store.hold(session.handle);
    plain.orders += 1;
  } else {
    session.nonces.add(ts);
    plain.nonces.add(ts);
  }
}

function assertSame(session: SessionRecord, plain: Plain): void {
  const { sessionKey, expiresAt, approvedAt, revokedAt, supersededExpiries, nonces } = session;
  assert.deepEqual(
    { sessionKey, expiresAt, approvedAt, revokedAt, supersededExpiries, nonces: [...nonces] },
    {
      ...{ sessionKey: plain.sessionKey, expiresAt: plain.expiresAt, approvedAt: plain.approvedAt },
      ...{ revokedAt: plain.revokedAt, supersededExpiries: plain.supersededExpiries },
      nonces: [...plain.nonces].sort((a, b) => a - b),
    },
  );
}

describe('sessions in a shared store', () => {
  test('are what an object for each would be, and their rows are used again once nobody holds them', () => {
    const random = new Random(11);
    const store = new SessionStore();
    const held: { session: SessionRecord; plain: Plain }[] = [];
    let largest = 0;
    for (let step = 0; step < STEPS; step++) {
      if (held.length < 100 && random.chance(0.1)) {
        const key = `0x${step}` as Address;
        held.push({ session: new SessionRecord(store, store.open(key)), plain: plainOf(key) });
        largest = Math.max(largest, held.at(-1)!.session.handle);
      }
      if (held.length === 0) continue;
      const at = random.between(0, held.length - 1);
      const { session, plain } = held[at]!;
      if (plain.isRemembered && !random.chance(0.03)) change(random, store, session, plain);
      else if (plain.isRemembered) {
        session.forget();
        plain.isRemembered = false;
        plain.nonces.clear();
      } else if (plain.orders > 0) {
        assert.equal(session.sessionKey, plain.sessionKey);
        store.release(session.handle);
        plain.orders -= 1;
      }
      if (!plain.isRemembered && plain.orders === 0) held.splice(at, 1);
      else assertSame(session, plain);
    }
    for (const { session, plain } of held) assertSame(session, plain);
    assert.equal(store.count, held.length);
    const spent = held.filter(({ plain }) => plain.nonces.size > 0).map(({ session }) => session.handle);
    assert.deepEqual(new Set(store.spent), new Set(spent));
    assert.ok(largest <= 100, `${largest} rows for no more than 100 sessions`);
  });
});
