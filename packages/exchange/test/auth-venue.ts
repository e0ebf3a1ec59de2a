/** A venue of wallets and session keys for tests of signatures: the real engine on a clock that stands still. */

import { apply, type Command, createState, NO_EFFECTS, type State } from '@venue/engine';
import { type Address, type EnvelopeFields, type Hex, marginEnvelope } from '@venue/protocol';
import { addressOfPrivateKey, signPersonal } from '@venue/protocol/signing';
import type { SignedWrite } from '../src/auth/signed-write.ts';
import { loadConfig } from '../src/config.ts';

const DAY_MS = 24 * 3_600_000;
export const START_MS = 1_700_000_000_000;
export const NONCES_PER_KEY_MAX = 4;

export interface Key {
  readonly privateKey: Hex;
  readonly address: Address;
}

/** The same key for the same number, a different one for another. */
export function keyOf(index: number): Key {
  const privateKey: Hex = `0x${index.toString(16).padStart(64, '0')}`;
  return { privateKey, address: addressOfPrivateKey(privateKey) };
}

export class TestVenue {
  readonly state: State = createState();
  nowMs = START_MS;

  constructor() {
    this.apply({
      kind: 'configure',
      parameters: {
        ...loadConfig({}).parameters,
        symbols: [{ symbol: 'BTC', assetClass: 'crypto' }],
        noncesPerKeyMax: NONCES_PER_KEY_MAX,
      },
    });
  }

  apply(command: Command): object {
    return apply(this.state, { seq: this.state.seq + 1, ts: this.nowMs, command }, NO_EFFECTS);
  }

  approve(address: Address, sessionKey: Address, lifetimeMs: number = DAY_MS): void {
    this.apply({ kind: 'approve', address, sessionKey, expiresAt: this.nowMs + lifetimeMs, signature: '0x' });
  }
}

export const ALICE = keyOf(1).address;
export const BOB = keyOf(2).address;
export const SESSION = keyOf(3);
export const STRANGER = keyOf(4);

export type TextOf = (fields: EnvelopeFields) => string;
export const marginOn: TextOf = (fields) => marginEnvelope({ ...fields, enabled: true });
interface Request {
  readonly account?: Address;
  readonly key?: Key;
  readonly nonce?: number;
  readonly text?: TextOf;
}

/** A margin write of Alice, signed by her session key unless overridden. */
export function signed({
  account = ALICE,
  key = SESSION,
  nonce = START_MS,
  text = marginOn,
}: Request = {}): SignedWrite {
  const signature = signPersonal(text({ account, nonce }), key.privateKey);
  return { fields: { sessionKey: SESSION.address, nonce, signature }, text };
}
