/**
 * The only way from a signed request to an authorization (OWN-25, OWN-26, OWN-40): order, cancel, cancel of one
 * order, margin, withdraw.
 */

import {
  type Account,
  type Authorization,
  checkNonce,
  checkSession,
  isRefused,
  type Refused,
  type State,
} from '@venue/engine';
import {
  type Address,
  type EnvelopeFault,
  EnvelopeFieldError,
  type EnvelopeFields,
  type ErrorName,
  type Hex,
  parseSignature,
} from '@venue/protocol';
import type { Verifier } from '@venue/replay';
import type { SigningFields } from './signing-fields.ts';
import type { WaitingLine } from './waiting-line.ts';

export interface SignedWrite {
  readonly fields: SigningFields;
  /**
   * The envelope for the given account and nonce, built from the very values that will be acted on. The body names no
   * account; its `account:` line does (KEY-1).
   */
  readonly text: (fields: EnvelopeFields) => string;
}

export interface Clock {
  readonly state: State;
  /** The node's best guess of the log's time, unix milliseconds (SIG-5). */
  readonly now: () => number;
}

export interface AuthorizeDeps extends Clock {
  readonly verifier: Pick<Verifier, 'verify'>;
  /** Shared by all requests of the process. */
  readonly wideSearches: WaitingLine;
}

/** The signing fields of a command: spread them into the command. */
export interface Authorized {
  readonly account: Address;
  readonly authorization: Authorization;
}

/** Number of accounts that a signature is tried on before its request must queue. */
const NARROW_SEARCH = 8;

/** Size of `wideSearches` and of `wideSignIns`. */
export const WIDE_SEARCHES_MAX = 256;

/**
 * Finds whose session a request spends, or the first refusal of: line break, session unknown, session expired, nonce
 * outside the window, bad signature, nonce used, too many in flight. Changes nothing: the engine checks session and
 * nonce again when it applies the command, and burns the nonce then (SIG-4). Throws if `text` gets a number that no
 * envelope can carry; the caller must refuse it first.
 *
 * @example
 * const authorized = await authorize(deps, { fields, text: (signed) => marginEnvelope({ ...signed, enabled }) });
 * if (isRefused(authorized)) return refuse(authorized.refusal);
 * return submit({ kind: 'margin', ...authorized, enabled });
 */
export async function authorize(deps: AuthorizeDeps, posted: SignedWrite): Promise<Authorized | Refused> {
  const { fields } = posted;
  const write = { fields, text: builtOnce(posted.text) };
  const candidates = candidatesOf(deps, write);
  if (isRefused(candidates)) return candidates;
  const early = nonceFault(deps, fields, candidates[0]);
  if (early === 'nonceOutsideWindow') return { refusal: early };
  const account = await findSigner(deps, write, candidates);
  if (isRefused(account)) return account;
  const late = sessionFault(deps, fields, account) ?? nonceFault(deps, fields, account);
  if (late !== null) return { refusal: late };
  const { sessionKey, nonce, signature } = fields;
  return { account: addressOf(account), authorization: { sessionKey, nonce, signature: signature as Hex } };
}

export type Candidates = readonly [Account, ...Account[]];

/**
 * The accounts whose session the signature may be meant for, or why none of them has a live one. A key can have many
 * accounts, because anyone may approve a key without owning it. First come those that spent a nonce recently, which
 * takes the private key. Then come the others in order of first approval, which strangers cannot precede without
 * knowing the key; a renewal changes nothing. Dead sessions come last, so that their owner sees that error instead of
 * `bad signature`.
 */
export function candidatesOf(clock: Clock, write: SignedWrite): Candidates | Refused {
  const { sessionKey } = write.fields;
  const accounts = clock.state.accountsBySessionKey.get(sessionKey) ?? NOBODY;
  const [first] = accounts;
  const textRefusal = textFault(write, first === undefined ? sessionKey : addressOf(first));
  if (textRefusal !== null) return { refusal: textRefusal };
  if (first === undefined) return { refusal: 'unknownSessionKey' };
  return accounts.size === 1 ? onlyCandidate(clock, write, first) : rankedCandidates(clock, write, accounts);
}

/** Nearly every key has one account, so there is nothing to rank. */
function onlyCandidate(clock: Clock, { fields }: SignedWrite, account: Account): Candidates | Refused {
  const fault = sessionFault(clock, fields, account);
  return fault === null ? [account] : { refusal: fault };
}

function rankedCandidates(
  clock: Clock,
  { fields }: SignedWrite,
  accounts: ReadonlySet<Account>,
): Candidates | Refused {
  // The sort is stable, and the accounts come in order of first approval.
  const ranked = [...accounts]
    .map((account) => ({ account, ...standingOf(clock, fields, account) }))
    .sort((a, b) => a.rank - b.rank);
  const isExpired = ranked.some(({ fault }) => fault === 'sessionExpired');
  const [first, ...others] = ranked;
  if (first === undefined || first.rank === Rank.dead) {
    return { refusal: isExpired ? 'sessionExpired' : 'unknownSessionKey' };
  }
  return [first.account, ...others.map(({ account }) => account)];
}

const NOBODY: ReadonlySet<Account> = new Set();

const Rank = { inUse: 0, live: 1, dead: 2 } as const;

function standingOf(clock: Clock, fields: SigningFields, account: Account) {
  const session = account.sessions.get(fields.sessionKey);
  const fault = sessionFault(clock, fields, account);
  const isInUse = session !== undefined && session.nonces.size > 0;
  const rank = fault !== null ? Rank.dead : isInUse ? Rank.inUse : Rank.live;
  return { fault, rank };
}

/**
 * Tries the candidates one after another. A stranger who approves a key from a thousand wallets could make one junk
 * request cost a thousand recoveries. So searches past the first few candidates queue and run one at a time, and
 * never delay requests that need no such search, and a flood for one key none for another.
 */
async function findSigner(
  deps: AuthorizeDeps,
  write: SignedWrite,
  candidates: Candidates,
): Promise<Account | Refused> {
  const near = await firstSigner(deps, write, candidates.slice(0, NARROW_SEARCH));
  if (near !== null) return near;
  const rest = candidates.slice(NARROW_SEARCH);
  // A malformed signature (SIG-1) takes no place in the queue.
  if (rest.length === 0 || parseSignature(write.fields.signature) === undefined)
    return { refusal: 'badSignature' };
  const search = async () => (await firstSigner(deps, write, rest)) ?? { refusal: 'badSignature' as const };
  return (
    (await deps.wideSearches.run<Account | Refused>(write.fields.sessionKey, search)) ?? {
      refusal: 'tooManyInFlight',
    }
  );
}

async function firstSigner(
  { verifier }: AuthorizeDeps,
  { fields, text }: SignedWrite,
  accounts: readonly Account[],
): Promise<Account | null> {
  const { sessionKey, nonce, signature } = fields;
  for (const account of accounts) {
    const envelope = text({ account: addressOf(account), nonce });
    if (await verifier.verify(envelope, signature, sessionKey)) return account;
  }
  return null;
}

const TEXT_REFUSALS: Readonly<Partial<Record<EnvelopeFault, ErrorName>>> = {
  lineBreak: 'fieldHasNewline',
  comma: 'symbolComma',
  reservedSymbol: 'symbolReserved',
};

/** The fault check builds a text that is usually the next one to verify. */
function builtOnce(text: SignedWrite['text']): SignedWrite['text'] {
  let last: (EnvelopeFields & { readonly envelope: string }) | null = null;
  return ({ account, nonce }) => {
    if (last?.account !== account || last.nonce !== nonce)
      last = { account, nonce, envelope: text({ account, nonce }) };
    return last.envelope;
  };
}

// Whether an envelope can carry the values does not depend on the account, so any address will do.
function textFault({ fields, text }: SignedWrite, account: Address): ErrorName | null {
  try {
    text({ account, nonce: fields.nonce });
    return null;
  } catch (error) {
    const refusal = error instanceof EnvelopeFieldError ? TEXT_REFUSALS[error.fault] : undefined;
    // Whatever else cannot be signed, the schemas of the bodies have refused.
    if (refusal === undefined) throw error;
    return refusal;
  }
}

function sessionFault(deps: Clock, { sessionKey }: SigningFields, account: Account): ErrorName | null {
  return checkSession({ account, sessionKey, ts: timeOf(deps) });
}

function nonceFault(deps: Clock, { sessionKey, nonce }: SigningFields, account: Account): ErrorName | null {
  return checkNonce(deps.state, { account, sessionKey, nonce, ts: timeOf(deps) });
}

// The log's time never goes back, so the next entry is no older than the last one.
function timeOf({ state, now }: Clock): number {
  return Math.max(state.ts, now());
}

/** The wallet of an account that has sessions. */
export function addressOf(account: Account): Address {
  if (account.address === null) throw new Error(`account ${account.index} has a session but no address`);
  return account.address;
}
