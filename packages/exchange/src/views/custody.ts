/** Deposits, withdrawals and reserves as clients, operators and auditors see them (OWN-57). */

import {
  type Account,
  type Attestation,
  costMicros,
  isOutstanding,
  type Payout,
  parametersOf,
  type State,
} from '@venue/engine';
import {
  ExactSum,
  type Held,
  type LedgerDeposit,
  type Micros,
  microsToDecimal,
  type OperatorPayout,
  type Reserves,
  type Payout as WirePayout,
  ZERO,
} from '@venue/protocol';
import { intrinsicMicros } from '@venue/protocol/margin';

export function payoutView(payout: Payout): WirePayout {
  const { id, account, amountMicros, requestedAt, txHash } = payout;
  return {
    id,
    amountUsd: microsToDecimal(amountMicros),
    state: stateOf(payout),
    address: account.address!,
    requestedAt,
    ...(txHash !== null && { txHash }),
  };
}

function stateOf(payout: Payout): WirePayout['state'] {
  if (isOutstanding(payout)) return 'requested';
  return payout.voidedAt === null ? 'committed' : 'voided';
}

/** A payout with everything that its payer needs to check it without believing the exchange (CUS-5). */
export function operatorPayoutView(payout: Payout): OperatorPayout {
  const { payoutId, isOfHouse, proof, approvals, waits, account } = payout;
  const session = proof === null ? undefined : account.sessions.get(proof.sessionKey);
  const { expiresAt, revokedAt, revocation, revocationAttestation } = session ?? NO_SESSION;
  return {
    ...payoutView(payout),
    ...{ payoutId, ofHouse: isOfHouse, adopted: payout.isAdopted, approvals: [...approvals], waits },
    withdrawal: proof && { sessionKey: proof.sessionKey, nonce: proof.nonce, signature: proof.signature },
    approval: proof?.approval
      ? { expiresAt: proof.expiresAt, signature: proof.approval, ...attestedBy(proof.attestation) }
      : null,
    revocation:
      revokedAt === null || revocation === null
        ? null
        : { expiresAt, signature: revocation, revokedAt, ...attestedBy(revocationAttestation) },
  };
}

const NO_SESSION = { expiresAt: 0, revokedAt: null, revocation: null, revocationAttestation: null } as const;

/** Present where a contract wallet signed (CUS-19). */
function attestedBy(attestation: Attestation | null): { attestation?: Attestation } {
  return attestation === null ? {} : { attestation };
}

const PAYOUTS_SHOWN = 500;

/** The account's withdrawals, newest first. */
export function withdrawalsView({ payouts }: Account): WirePayout[] {
  return payouts.slice(-PAYOUTS_SHOWN).reverse().map(payoutView);
}

const PAYOUTS_PER_PAGE = 1_000;

/** A page of all accounts' payouts after the given id, oldest first. */
export function payoutsView(
  { custody }: State,
  { after, state }: { after: number; state: WirePayout['state'] | undefined },
): OperatorPayout[] {
  const page: OperatorPayout[] = [];
  for (let id = after + 1; id <= custody.payouts.length && page.length < PAYOUTS_PER_PAGE; id++) {
    const payout = custody.payouts[id - 1]!;
    if (state === undefined || stateOf(payout) === state) page.push(operatorPayoutView(payout));
  }
  return page;
}

const DEPOSITS_PER_PAGE = 1_000;

/** A page of the deposits, in the order in which they were credited, without the first `after`. */
export function ledgerDepositsView({ custody }: State, after: number): LedgerDeposit[] {
  return [...custody.deposits]
    .slice(after, after + DEPOSITS_PER_PAGE)
    .map(([key, { amountMicros, isOfHouse = false, ...deposit }]) => ({
      ...deposit,
      amount: amountMicros,
      ofHouse: isOfHouse,
      doubted: custody.doubted.has(key),
    }));
}

/** Addresses whose deposits wait for an operator, in order of arrival. */
export function heldView({ accounts }: State): Held[] {
  return accounts
    .filter(({ frozen, heldCount }) => frozen || heldCount > 0)
    .map(({ address, heldMicros, heldCount }) => ({
      address: address!,
      amountUsd: microsToDecimal(heldMicros),
      deposits: heldCount,
    }));
}

/**
 * The venue's debt to its traders (RES-1): every account's positive cash, deposits held for them, and withdrawals not
 * committed yet. House, fees and maker are excluded (HOUSE-1).
 */
export function reservesView(state: State): Reserves {
  const { accounts, custody } = state;
  const owed = new ExactSum();
  const uncollectible = new ExactSum();
  const ofVenue = new ExactSum();
  let negativeAccounts = 0;
  let nonExemptAccounts = 0;
  for (const { role, cashMicros, heldMicros } of accounts) {
    if (role !== 'trader') {
      ofVenue.add(cashMicros);
      continue;
    }
    nonExemptAccounts += 1;
    owed.add(heldMicros);
    if (cashMicros >= 0) owed.add(cashMicros);
    else {
      uncollectible.add(-cashMicros);
      negativeAccounts += 1;
    }
  }
  return {
    cashTotalUsd: microsToDecimal(owed.clamped()),
    pendingWithdrawalsUsd: decimalOf(custody.pendingMicros),
    committedWithdrawalsUsd: decimalOf(custody.committedMicros),
    uncollectibleUsd: microsToDecimal(uncollectible.clamped()),
    negativeAccounts,
    nonExemptAccounts,
    ...bindingView(custody),
    payoutsHalted: custody.halted,
    smallestPayoutUsd: microsToDecimal(parametersOf(state).payoutMinMicros),
    openLiabilityUsd: microsToDecimal(openLiabilityMicros(state)),
    houseCashUsd: microsToDecimal(ofVenue.clamped()),
  };
}

/** The sums since the vault that the ledger is bound to (CUS-1); all of the ledger while it is bound to none. */
function bindingView({ binding, epoch, depositedMicros }: State['custody']) {
  const depositedBeforeMicros = binding?.depositedBeforeMicros ?? ZERO;
  return {
    chainId: binding?.chainId ?? null,
    vault: binding?.vault ?? null,
    paidBeforeUsd: binding === null ? 0 : microsToDecimal(binding.paidBeforeMicros),
    depositedBeforeUsd: microsToDecimal(depositedBeforeMicros),
    depositedUsd: decimalOf(depositedMicros - BigInt(depositedBeforeMicros)),
    epoch,
  };
}

/**
 * The debt of the venue's own accounts together on each series at the spot, without what others owe them: the cash that has
 * to be there at settlement, if prices stay (CUS-20).
 */
function openLiabilityMicros({ series, accounts }: State): Micros {
  const own = accounts.filter(({ role }) => role !== 'trader');
  const owed = new ExactSum();
  for (const one of series) {
    if (one.status === 'settled') continue;
    const qty = own.reduce((sum, { positions }) => sum + (positions.get(one.sid)?.qtyMicros ?? 0), 0);
    if (qty < 0) owed.add(costMicros(intrinsicMicros(one, one.instrument.spotMicros), -qty));
  }
  return owed.clamped();
}

function decimalOf(micros: bigint): number {
  return microsToDecimal(Number(micros) as Micros);
}
