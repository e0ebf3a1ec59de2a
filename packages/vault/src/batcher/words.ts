/**
 * The signed words that a payout rests on (CUS-5): the wallet approved a session key, and that key asked for the amount.
 * They are checked here, so that an exchange in a thief's hands can withhold a payout and not send it elsewhere.
 */

import {
  type Address,
  decimalToMicros,
  NONCE_WINDOW_MS,
  type OperatorPayout,
  recoverPersonal,
  SESSION_LIFETIME_MAX_MS,
  type SessionTerms,
  sessionApprovalMessage,
  sessionRevokeMessage,
  withdrawEnvelope,
} from '@venue/protocol';
import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { AddressText, nullable } from '../chain/schemas.ts';
import type { WithdrawalKey } from './state.ts';

/** A row of the exchange's list, as far as its words say something about it. */
export type SignedRow = Pick<
  OperatorPayout,
  'address' | 'amountUsd' | 'requestedAt' | 'withdrawal' | 'approval' | 'revocation'
>;

const WholeNumber = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
const SignedWordsSchema = Type.Object({
  address: AddressText,
  requestedAt: WholeNumber,
  withdrawal: Type.Object({ sessionKey: AddressText, nonce: WholeNumber, signature: Type.String() }),
  approval: Type.Object({ expiresAt: WholeNumber, signature: Type.String() }),
  revocation: Type.Optional(
    nullable(Type.Object({ expiresAt: WholeNumber, revokedAt: WholeNumber, signature: Type.String() })),
  ),
});

export type Standing =
  | { readonly kind: 'proven'; readonly withdrawal: WithdrawalKey }
  /** Nothing contradicts it, and nothing shows that its owner asked for it. */
  | { readonly kind: 'unproven'; readonly why: string }
  /** Its words are of something else. */
  | { readonly kind: 'contradicted'; readonly why: string };

/** No session outlasts this. Paid withdrawals are remembered for as long, so an older one may have been paid. */
export const WORDS_MS_MAX = SESSION_LIFETIME_MAX_MS;
const REMEMBERED_MAX = 100_000;

/** Remembers what the signatures of a row have shown, because a row that waits comes back round after round. */
export class Words {
  readonly #known = new Map<number, { readonly text: string; readonly standing: Standing }>();
  readonly #isContractApproval: (row: SignedRow) => boolean;

  /** `isContractApproval` says whether the chain confirms the approval of a row that has an attestation (CUS-19). */
  constructor(isContractApproval: (row: SignedRow) => boolean) {
    this.#isContractApproval = isContractApproval;
  }

  standingOf(row: SignedRow & Pick<OperatorPayout, 'id'>, nowMs: number): Standing {
    const { id, address, amountUsd, requestedAt, withdrawal, approval, revocation } = row;
    const isContracts = approval?.attestation !== undefined && this.#isContractApproval(row);
    const text = JSON.stringify([
      ...[address, amountUsd, requestedAt, withdrawal, approval, revocation],
      isContracts,
    ]);
    const known = this.#known.get(id);
    const standing = known?.text === text ? known.standing : signedStanding(row, isContracts);
    if (this.#known.size >= REMEMBERED_MAX) this.#known.clear();
    this.#known.set(id, { text, standing });
    return aged(standing, nowMs);
  }
}

/** Judges a row by its signatures, of which it recovers up to three. */
function signedStanding(row: SignedRow, isContracts: boolean): Standing {
  const { withdrawal, approval } = row;
  if (withdrawal == null || approval == null)
    return { kind: 'unproven', why: 'it carries no words that its owner signed' };
  if (!isWellFormed(row)) return { kind: 'contradicted', why: 'its words are malformed' };
  if (approval.attestation !== undefined && !isContracts)
    return { kind: 'unproven', why: 'its contract wallet does not confirm the approval of its session key' };
  const why = contradictionOf(row);
  if (why !== null) return { kind: 'contradicted', why };
  const { sessionKey, nonce } = withdrawal;
  return { kind: 'proven', withdrawal: { sessionKey: sessionKey as Address, nonce } };
}

/** Nothing of the exchange's answer is taken for what its type says. */
function isWellFormed(row: SignedRow): boolean {
  return decimalToMicros(row.amountUsd) !== undefined && Check(SignedWordsSchema, row);
}

function aged(standing: Standing, nowMs: number): Standing {
  if (standing.kind !== 'proven' || standing.withdrawal.nonce >= nowMs - WORDS_MS_MAX) return standing;
  return { kind: 'unproven', why: 'its withdrawal was signed more than 30 days ago' };
}

function contradictionOf({ withdrawal, approval, ...row }: SignedRow): string | null {
  const { sessionKey, nonce, signature } = withdrawal!;
  const account = row.address as Address;
  const terms: SessionTerms = {
    account,
    sessionKey: sessionKey as Address,
    expiresAtMs: approval!.expiresAt,
  };
  const amountMicros = decimalToMicros(row.amountUsd)!;
  // The chain has confirmed that of a contract.
  const isByKey = approval!.attestation === undefined;
  if (isByKey && recoverPersonal(sessionApprovalMessage(terms), approval!.signature) !== account)
    return `the approval of its session key is not signed by ${account}`;
  if (recoverPersonal(withdrawEnvelope({ account, amountMicros, nonce }), signature) !== sessionKey)
    return `its session key ${sessionKey} did not sign a withdrawal of that amount for ${account}`;
  if (Math.abs(nonce - row.requestedAt) > NONCE_WINDOW_MS) return 'its withdrawal was signed at another time';
  if (row.requestedAt >= approval!.expiresAt) return 'its session had expired when it was requested';
  return revocationFault(row, terms);
}

function revocationFault(
  { revocation, requestedAt }: Pick<SignedRow, 'revocation' | 'requestedAt'>,
  session: SessionTerms,
): string | null {
  if (revocation == null) return null;
  const terms = { ...session, expiresAtMs: revocation.expiresAt };
  // The signature of the approval is proof enough for a revocation (KEY-3).
  const texts = [sessionRevokeMessage(terms), sessionApprovalMessage(terms)];
  // One that a contract is said to have signed can only withhold a payout.
  const isByKey = revocation.attestation === undefined;
  if (isByKey && !texts.some((text) => recoverPersonal(text, revocation.signature) === terms.account))
    return `the revocation of its session key is not signed by ${terms.account}`;
  return revocation.revokedAt <= requestedAt ? 'its session was revoked before it was requested' : null;
}
