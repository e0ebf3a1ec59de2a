/** Pending withdrawals, and the claim of what the vault has set aside. */

import type { ReactNode } from 'react';
import { formatExact } from '../../basics/numbers.ts';
import { useStore } from '../../terminal/terminal.ts';
import { amountText, coinText } from './amounts.ts';
import styles from './Funds.module.css';
import type { FundsDesk } from './funds-desk.ts';
import { PAYOUTS_SHOWN, type PayoutStage, payoutStages, STAGE_TEXTS } from './payouts.ts';
import { GAS } from './vault-chain.ts';

export function Payouts({ desk }: { readonly desk: FundsDesk }): ReactNode {
  const { payouts, view, committedIds } = useStore(desk.state, (state) => state);
  const entitlementMicros = Number(view?.entitlement ?? 0n);
  const stages = payoutStages(payouts ?? [], view === null ? null : { entitlementMicros, committedIds });
  return (
    <section className="panel-box" aria-label="Withdrawals">
      <h3>Withdrawals</h3>
      <Claim desk={desk} />
      {payouts === null && <p className="muted">Asking the venue…</p>}
      {payouts?.length === 0 && <p className="muted">You have not withdrawn anything yet.</p>}
      {payouts !== null && payouts.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is reached by the keyboard to do so
        <section className={styles.scroll} aria-label="Withdrawals, newest first" tabIndex={0}>
          <table className="rows">
            <thead>
              <tr>
                {['Withdrawal', 'Amount', 'Requested', 'State', 'Next step'].map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {payouts.slice(0, PAYOUTS_SHOWN).map(({ id, amountUsd, requestedAt, txHash }) => (
                <tr key={id}>
                  <th scope="row">{id}</th>
                  <td>${formatExact(amountUsd)}</td>
                  <td>{new Date(requestedAt).toLocaleString()}</td>
                  <StageCells stage={stages.get(id) ?? 'asked'} txHash={txHash} />
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function StageCells({
  stage,
  txHash,
}: {
  readonly stage: PayoutStage;
  readonly txHash?: string | undefined;
}) {
  const { state, next } = STAGE_TEXTS[stage];
  return (
    <>
      <td>
        <span className={styles.stage} data-stage={stage} title={txHash}>
          {state}
        </span>
      </td>
      <td className={styles.next}>{next}</td>
    </>
  );
}

function Claim({ desk }: { readonly desk: FundsDesk }): ReactNode {
  const { view, doing, wallet, sent, tokenSymbol, site } = useStore(desk.state, (state) => state);
  if (view === null || view.entitlement === 0n) return null;
  const gas = view.gasPrice * GAS.claim;
  const coins = (units: bigint) => coinText(units, site?.chainId ?? 0);
  const isShort = view.coinBalance < gas;
  const isMoving = sent.some(({ purpose, progress }) => purpose === 'claim' && progress.stage === 'sent');
  return (
    <div className={styles.claim}>
      <p role="status">
        The vault has <strong>{amountText(view.entitlement, tokenSymbol)}</strong> set aside for you. Nobody
        can refuse it, and it needs none of the venue’s servers.{' '}
        {isShort
          ? `Your wallet has ${coins(view.coinBalance)}, too little for the gas of up to ${coins(gas)}.`
          : `You pay the gas, up to ${coins(gas)} now.`}
      </p>
      <button
        type="button"
        className="primary"
        disabled={wallet !== 'ready' || doing !== null || isShort || isMoving}
        onClick={() => void desk.send('claim', view.entitlement)}
      >
        {isMoving ? 'Claiming…' : `Claim ${amountText(view.entitlement, tokenSymbol)}`}
      </button>
    </div>
  );
}
