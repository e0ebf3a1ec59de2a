/** Deposits tokens from the wallet into the vault, step by step until the venue has credited them. */

import { type FormEvent, type ReactNode, useState } from 'react';
import { AMOUNT_FAULTS, parseAmount } from '../core/numbers.ts';
import { useStore } from '../kit/terminal.ts';
import { AmountField } from './AmountField.tsx';
import { amountText, coinText } from './amounts.ts';
import type { FundsDesk } from './funds-desk.ts';
import type { Funds } from './funds-state.ts';
import { SentList } from './SentList.tsx';
import { GAS, type VaultView } from './vault-chain.ts';

export function Deposit({ desk }: { readonly desk: FundsDesk }): ReactNode {
  const funds = useStore(desk.state, (state) => state);
  const [typed, setTyped] = useState('');
  const { view, tokenSymbol } = funds;
  const amount = parseAmount(typed);
  const micros = amount.ok ? BigInt(amount.micros) : 0n;
  const fault = typed === '' ? null : amount.ok ? faultOf(micros, funds) : AMOUNT_FAULTS[amount.fault];
  const isAllowed = view !== null && view.allowance >= micros;
  const isMoving = funds.sent.some(
    ({ purpose, progress }) => purpose !== 'claim' && progress.stage === 'sent',
  );
  const canSend = funds.wallet === 'ready' && funds.siteFault === null && funds.doing === null && !isMoving;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (micros === 0n || fault !== null) return;
    const isSent = await desk.send(isAllowed ? 'deposit' : 'allow', micros);
    if (isSent && isAllowed) setTyped('');
  };
  return (
    <form className="funds-card" aria-label="Deposit" onSubmit={submit}>
      <h3>Deposit</h3>
      <AmountField
        {...{ typed, setTyped, fault, symbol: tokenSymbol }}
        maxMicros={view === null ? null : Number(view.tokenBalance)}
        label="Amount to deposit"
      />
      <ol className="funds-steps">
        <li data-done={isAllowed && micros > 0n}>Allow the vault to take the amount</li>
        <li>Deposit it</li>
        <li>Credited after {funds.site?.confirmations ?? '–'} blocks</li>
      </ol>
      <button type="submit" className="funds-act" disabled={!canSend || micros === 0n || fault !== null}>
        {isAllowed || micros === 0n ? 'Deposit' : 'Allow'}{' '}
        {micros > 0n ? amountText(micros, tokenSymbol) : ''}
      </button>
      {view !== null && <p className="muted">{gasText(view, isAllowed, funds.site?.chainId ?? 0)}</p>}
      <SentList funds={funds} desk={desk} />
    </form>
  );
}

function faultOf(micros: bigint, { view, tokenSymbol, site }: Funds): string | null {
  if (micros === 0n) return 'Nothing to deposit.';
  if (view === null) return null;
  if (view.tokenBalance < micros) return `Your wallet has ${amountText(view.tokenBalance, tokenSymbol)}.`;
  if (view.coinBalance < gasOf(view, view.allowance >= micros))
    return `Too little for the gas: your wallet has ${coinText(view.coinBalance, site?.chainId ?? 0)}.`;
  return null;
}

function gasOf({ gasPrice }: VaultView, isAllowed: boolean): bigint {
  return gasPrice * (GAS.deposit + (isAllowed ? 0n : GAS.allow));
}

function gasText(view: VaultView, isAllowed: boolean, chainId: number): string {
  const count = isAllowed ? 'One transaction' : 'Two transactions';
  return `${count}, whose gas you pay: up to ${coinText(gasOf(view, isAllowed), chainId)} now. The venue takes no fee.`;
}
