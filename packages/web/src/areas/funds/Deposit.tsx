/** Deposits tokens from the wallet into the vault, step by step until the venue has credited them. */

import { type FormEvent, type ReactNode, useState } from 'react';
import { AMOUNT_FAULTS, parseAmount } from '../../basics/numbers.ts';
import { useStore } from '../../terminal/terminal.ts';
import { AmountField } from './AmountField.tsx';
import { amountText, coinText } from './amounts.ts';
import styles from './Funds.module.css';
import type { FundsDesk } from './funds-desk.ts';
import type { Funds } from './funds-state.ts';
import { depositSteps, type Purpose } from './progress.ts';
import { SentList } from './SentList.tsx';
import { GAS, type VaultView } from './vault-chain.ts';

export function Deposit({ desk }: { readonly desk: FundsDesk }): ReactNode {
  const funds = useStore(desk.state, (state) => state);
  const [typed, setTyped] = useState('');
  const { view, tokenSymbol } = funds;
  const amount = parseAmount(typed);
  const micros = amount.ok ? BigInt(amount.micros) : 0n;
  const fault = typed === '' ? null : amount.ok ? faultOf(micros, funds) : AMOUNT_FAULTS[amount.fault];
  const steps = view === null ? [] : depositSteps(view, micros);
  const [next = 'deposit'] = steps;
  const isMoving = funds.sent.some(
    ({ purpose, progress }) => purpose !== 'claim' && progress.stage === 'sent',
  );
  const canSend = funds.wallet === 'ready' && funds.siteFault === null && funds.doing === null && !isMoving;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (micros === 0n || fault !== null) return;
    const isSent = await desk.send(next, next === 'reset' ? view!.allowance : micros);
    if (isSent && next === 'deposit') setTyped('');
  };
  return (
    <form className="panel-box" aria-label="Deposit" onSubmit={submit}>
      <h3>Deposit</h3>
      <AmountField
        {...{ typed, setTyped, fault, symbol: tokenSymbol }}
        maxMicros={view === null ? null : Number(view.tokenBalance)}
        label="Amount to deposit"
      />
      <ol className={styles.steps}>
        {view?.mustReset === true && (
          <li data-done={!steps.includes('reset')}>
            Reset the {amountText(view.allowance, tokenSymbol)} that it was allowed before, as this token asks
          </li>
        )}
        <li data-done={!steps.includes('allow') && micros > 0n}>Allow the vault to take the amount</li>
        <li>Deposit it</li>
        <li>Credited after {funds.site?.confirmations ?? '–'} blocks</li>
      </ol>
      <button type="submit" className="primary" disabled={!canSend || micros === 0n || fault !== null}>
        {ACTS[next]} {micros > 0n && next !== 'reset' ? amountText(micros, tokenSymbol) : ''}
      </button>
      {view !== null && <p className="muted">{gasText(view, steps, funds.site?.chainId ?? 0)}</p>}
      <SentList funds={funds} desk={desk} />
    </form>
  );
}

const ACTS: Readonly<Record<Purpose, string>> = {
  reset: 'Reset the allowance',
  allow: 'Allow',
  deposit: 'Deposit',
  claim: 'Claim',
};

function faultOf(micros: bigint, { view, tokenSymbol, site }: Funds): string | null {
  if (micros === 0n) return 'Nothing to deposit.';
  if (view === null) return null;
  if (view.tokenBalance < micros) return `Your wallet has ${amountText(view.tokenBalance, tokenSymbol)}.`;
  if (view.coinBalance < gasOf(view, depositSteps(view, micros)))
    return `Too little for the gas: your wallet has ${coinText(view.coinBalance, site?.chainId ?? 0)}.`;
  return null;
}

function gasOf({ gasPrice }: VaultView, steps: readonly Purpose[]): bigint {
  return gasPrice * steps.reduce((sum, step) => sum + GAS[step], 0n);
}

const COUNTS = ['No', 'One', 'Two', 'Three'];

function gasText(view: VaultView, steps: readonly Purpose[], chainId: number): string {
  const count = `${COUNTS[steps.length]} ${steps.length === 1 ? 'transaction' : 'transactions'}`;
  return `${count}, whose gas you pay: up to ${coinText(gasOf(view, steps), chainId)} now. The venue takes no fee.`;
}
