/** The proof of a `FollowedLog`, from which another goes on (CUS-18). */

import type { Binding, Deposit, State } from '@venue/engine';
import type { ChainPoint, LogReader } from '@venue/log';
import { restoreSnapshot, snapshotOfIdle } from '@venue/replay';
import type { AttestedApproval } from './replay.ts';
import type { WatchedSession } from './session-trades.ts';

/** To be raised with every check that is added: what an earlier release proved lacks it. */
const PROOF_VERSION = 1;

/** A binding, and the deposits that the log had then. */
export interface Bound {
  readonly binding: Binding;
  readonly deposits: ReadonlySet<Deposit>;
}

/**
 * In values that JSON has. Nothing in it follows from the log without a replay, so that who can write it decides what is
 * believed: the caller keeps it from others, or seals it.
 */
export interface Proof {
  readonly version: number;
  /** The hash of the log's first batch, which no other log has. A restored copy has it too. */
  readonly origin: string;
  readonly stamp: readonly (readonly [string, string])[];
  /** The end of the last batch that was proven. */
  readonly point: ChainPoint;
  /** The state after it; the body is in base64. */
  readonly snapshot: { readonly version: number; readonly digest: string; readonly body: string };
  /** Each with the keys of those of its deposits that are still the very same. */
  readonly bindings: readonly { readonly binding: Binding; readonly deposits: readonly string[] }[];
  /** The approvals whose sessions are watched. */
  readonly attested: readonly AttestedApproval[];
  readonly trades: readonly WatchedSession[];
}

/** A proof is damaged, of another log or of another release. */
export class UnusableProofError extends Error {
  override readonly name = 'UnusableProofError';
}

export interface Proven {
  readonly state: State;
  readonly point: ChainPoint;
  readonly bindings: readonly Bound[];
  readonly attested: readonly AttestedApproval[];
  readonly trades: readonly WatchedSession[];
}

/** The proof of a state that does not change meanwhile. */
export async function proofOfState(reader: LogReader, proven: Proven): Promise<Proof> {
  const { state, point, bindings, attested, trades } = proven;
  const { version, digest, body } = await snapshotOfIdle(state, reader);
  return {
    version: PROOF_VERSION,
    origin: (await originOf(reader))!,
    stamp: await stampRows(reader),
    point,
    snapshot: { version, digest, body: Buffer.from(body).toString('base64') },
    bindings: bindings.map(({ binding, deposits }) => ({ binding, deposits: keysOf(state, deposits) })),
    attested,
    trades,
  };
}

/**
 * Opens a proof of a log. The reader finds out whether the log still has its point: one that has lost it was
 * rewritten or restored. Throws `UnusableProofError`.
 */
export async function provenBy(proof: Proof, reader: LogReader): Promise<Proven> {
  const { version, origin, stamp, point, snapshot, attested, trades } = proof;
  if (version !== PROOF_VERSION)
    throw new UnusableProofError(`is of version ${version}, and this release makes version ${PROOF_VERSION}`);
  const found = await originOf(reader);
  if (found !== null && found !== origin) throw new UnusableProofError('is of another log');
  if (found !== null && JSON.stringify(stamp) !== JSON.stringify(await stampRows(reader)))
    throw new UnusableProofError('is of a log with another stamp');
  const body = Buffer.from(snapshot.body, 'base64');
  const state = await restoreSnapshot({ ...snapshot, seq: point.seq, body });
  if (typeof state === 'string') throw new UnusableProofError(state);
  const bindings = proof.bindings.map(({ binding, deposits }) => ({
    binding,
    deposits: new Set(deposits.flatMap((key) => state.custody.deposits.get(key) ?? [])),
  }));
  return { state, point, bindings, attested, trades };
}

/** Null for a log without entries. */
async function originOf(reader: LogReader): Promise<string | null> {
  const [first] = await reader.readBatches(1, 1);
  return first?.hash ?? null;
}

async function stampRows(reader: LogReader): Promise<[string, string][]> {
  return [...(await reader.readStamp())].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A deposit that was reversed, and one that is reported again in its place, is another object: neither counts. */
function keysOf({ custody }: State, deposits: ReadonlySet<Deposit>): string[] {
  return [...custody.deposits].flatMap(([key, one]) => (deposits.has(one) ? [key] : []));
}
