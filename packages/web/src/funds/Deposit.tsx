/** Tokens from the wallet into the vault, step by step until the venue has them in its books. */

import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { AMOUNT_FAULTS, formatExact, parseAmount } from '../core/numbers.ts';
import { useStore } from '../kit/terminal.ts';
import { amountText, coinText } from './amounts.ts';
import type { FundsDesk } from './funds-desk.ts';
import type { Funds, Tracked } from './funds-state.ts';
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

interface AmountFieldProps {
  readonly label: string;
  readonly typed: string;
  readonly setTyped: (text: string) => void;
  readonly fault: string | null;
  readonly symbol: string;
  readonly maxMicros: number | null;
}

/** An amount with its most, and room for what is wrong with it. */
export function AmountField({
  label,
  typed,
  setTyped,
  fault,
  symbol,
  maxMicros,
}: AmountFieldProps): ReactNode {
  const id = useId();
  const max = maxMicros === null ? null : formatExact(maxMicros / 1e6);
  return (
    <div className="funds-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-said`}
        onChange={(event) => setTyped(event.target.value)}
      />
      <span className="muted">{symbol}</span>
      <p id={`${id}-said`} className={fault === null ? 'muted' : 'funds-fault'}>
        {fault ?? (max === null ? ' ' : `Most: ${max}`)}
        {max !== null && (
          <button type="button" onClick={() => setTyped(max)} aria-label={`Max: ${label}, ${max}`}>
            Max
          </button>
        )}
      </p>
    </div>
  );
}

const PURPOSES = { allow: 'Allowance of', deposit: 'Deposit of', claim: 'Claim of' } as const;

/** Transactions that are under way, and those of this visit that are over. */
function SentList({ funds, desk }: { readonly funds: Funds; readonly desk: FundsDesk }): ReactNode {
  if (funds.sent.length === 0) return null;
  return (
    <ul className="funds-sent" aria-live="polite">
      {funds.sent.map((sent) => (
        <li key={sent.hash} data-stage={sent.progress.stage}>
          <span>
            {PURPOSES[sent.purpose]} {amountText(BigInt(sent.amountMicros), funds.tokenSymbol)}{' '}
            <code title={sent.hash}>{sent.hash.slice(0, 10)}…</code>
          </span>
          <button type="button" aria-label="Put it away" onClick={() => desk.dismiss(sent.hash)}>
            ✕
          </button>
          <span className="funds-said">{progressText(sent, funds.site?.confirmations ?? 0)}</span>
          {sent.progress.stage === 'mined' && (
            <progress
              value={sent.progress.confirmations}
              max={funds.site?.confirmations ?? 1}
              aria-label="Confirmations"
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function progressText({ purpose, progress }: Tracked, wanted: number): string {
  switch (progress.stage) {
    case 'sent':
      return 'Sent; waiting for a block. You may close this page.';
    case 'mined':
      return `${progress.confirmations} of ${wanted} confirmations. You may close this page.`;
    case 'confirmed':
      return 'Confirmed; the venue credits it within moments.';
    case 'done':
      return purpose === 'deposit' ? 'Credited to your cash.' : 'Done.';
    case 'failed':
      return 'The chain refused it: nothing moved but the gas.';
    case 'replaced':
      return 'Another transaction of your wallet took its place. If you sped it up, the deposit is credited under its new name; if you cancelled it, nothing moved.';
  }
}
