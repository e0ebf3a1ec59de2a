/** Approvals by contract wallets, and the attestor's answers to them. */

import type { AttestCommand, Command, ParkCommand } from '../../src/entry/command.ts';
import { openParked } from '../model/parked.ts';
import type { ModelParked } from '../model/records.ts';
import type { ModelState } from '../model/state.ts';
import type { Random } from '../random.ts';
import { addressOf, keysOf, signatureOf } from './world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const CONTRACTS = 3;

/** Usually answers one that waits, if there is one. */
export function generateContract(random: Random, state: ModelState): Command {
  const waiting = openParked(state);
  const [parked] = waiting.length > 0 ? [random.pick(waiting)] : state.parked.slice(-1);
  if (parked !== undefined && random.chance(waiting.length > 0 ? 0.6 : 0.1))
    return answer(random, state, parked);
  return random.chance(0.7) ? approval(random, state) : revocation(random, state);
}

/** One address parks more approvals than it may, and somebody more revocations of a session than it has room for. */
export function manyParked(state: ModelState): ParkCommand[] {
  const address = addressOf('a', 973);
  const expiresAt = state.ts + DAY_MS;
  const approvals = Array.from({ length: 9 }, (_, at) => ({
    ...({
      kind: 'park',
      act: 'approve',
      address,
      sessionKey: addressOf('c', 2_000 + at),
      expiresAt,
    } as const),
    signature: signatureOf(at),
  }));
  const [known] = attestedSessions(state);
  if (known === undefined) return approvals;
  const revocations = Array.from({ length: 33 }, (_, at) => ({
    ...({ kind: 'park', act: 'revoke', address: known.address, sessionKey: known.session.key } as const),
    expiresAt: known.session.expiresAt,
    signature: signatureOf(at),
  }));
  return [...approvals, ...revocations];
}

function attestedSessions(state: ModelState) {
  return state.accounts.flatMap(({ address, sessions: own }) =>
    own.flatMap((session) => (session.attestation === null ? [] : [{ address: address!, session }])),
  );
}

/** For a contract, and sometimes for a wallet that has a key of its own. */
function approval(random: Random, state: ModelState): ParkCommand {
  const waiting = openParked(state);
  if (waiting.length > 0 && random.chance(0.1)) return { kind: 'park', ...random.pick(waiting).terms };
  const address = addressOf('a', random.chance(0.9) ? 970 + random.between(0, CONTRACTS - 1) : 0);
  return {
    ...{ kind: 'park', act: 'approve', address, sessionKey: random.pick(keysOf(address)) },
    expiresAt: random.weighted([
      [8, state.ts + DAY_MS],
      [3, state.ts + 2 * MINUTE_MS],
      [1, state.ts],
    ]),
    signature: signatureOf(random.between(1, 3)),
  };
}

/** Usually of a session that is there. */
function revocation(random: Random, state: ModelState): ParkCommand {
  const sessions = attestedSessions(state);
  const known = sessions.length > 0 && random.chance(0.9) ? random.pick(sessions) : undefined;
  return {
    ...{ kind: 'park', act: 'revoke', address: known?.address ?? addressOf('a', 970) },
    sessionKey: known?.session.key ?? random.pick([addressOf('c', 999), addressOf('c', 77_777)]),
    expiresAt: (known?.session.expiresAt ?? state.ts) + (random.chance(0.9) ? 0 : 1),
    signature: signatureOf(random.between(1, 3)),
  };
}

function answer(random: Random, state: ModelState, { id }: ModelParked): AttestCommand {
  return {
    kind: 'attest',
    id: random.chance(0.9) ? id : id + 1,
    verdict: random.weighted<AttestCommand['verdict']>([
      [8, 'valid'],
      [1, 'no-contract'],
      [1, 'invalid'],
      [1, 'failed'],
    ]),
    ...{ chainId: 1, blockNumber: state.seq, blockHash: `0x${String(state.seq).padStart(64, '0')}` },
  };
}
