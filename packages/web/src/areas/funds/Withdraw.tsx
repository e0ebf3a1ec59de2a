/** Withdraws cash: confirmed by a second press, as it cannot be undone. */

import type { Micros } from '@venue/protocol';
import { type FormEvent, type ReactNode, useState } from 'react';
import { AMOUNT_FAULTS, formatExact, parseAmount } from '../../basics/numbers.ts';
import { shortAddress } from '../../basics/short-address.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { AmountField } from './AmountField.tsx';
import type { FundsDesk } from './funds-desk.ts';
import { OUTSTANDING_MAX, withdrawableMicros } from './payouts.ts';

export function Withdraw({ desk }: { readonly desk: FundsDesk }): ReactNode {
  const { stores } = useTerminal();
  const buyingPower = useStore(stores.holdings, ({ account }) => account?.buyingPower ?? null);
  const payouts = useStore(desk.state, (state) => state.payouts);
  const doing = useStore(desk.state, (state) => state.doing);
  const refusal = useStore(desk.state, ({ fault }) => (fault?.doing === 'withdraw' ? fault.text : null));
  const [typed, setTyped] = useState('');
  const [isAsked, setAsked] = useState(false);
  const max = buyingPower === null || payouts === null ? null : withdrawableMicros(buyingPower, payouts);
  const amount = parseAmount(typed);
  const outstanding = payouts?.filter(({ state }) => state === 'requested').length ?? 0;
  const fault = typed === '' ? null : amount.ok ? faultOf(amount.micros, max) : AMOUNT_FAULTS[amount.fault];
  const edit = (text: string) => {
    setTyped(text);
    setAsked(false);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!amount.ok || fault !== null || doing !== null) return;
    if (!isAsked) return setAsked(true);
    setAsked(false);
    if (await desk.withdraw(amount.micros)) setTyped('');
  };
  const canAsk = amount.ok && fault === null && doing === null && outstanding < OUTSTANDING_MAX;
  return (
    <form className="panel-box" aria-label="Withdraw" onSubmit={submit}>
      <h3>Withdraw</h3>
      <AmountField
        {...{ typed, fault, symbol: '$', maxMicros: max }}
        setTyped={edit}
        label="Amount to withdraw"
      />
      <Meaning isAsked={isAsked} micros={amount.ok ? amount.micros : null} outstanding={outstanding} />
      <button type="submit" className="primary" disabled={!canAsk} data-asked={isAsked}>
        {doing === 'withdraw'
          ? 'Asking the venue…'
          : `${isAsked ? 'Yes, withdraw' : 'Withdraw'} ${amount.ok ? `$${formatExact(amount.micros / 1e6)}` : ''}`}
      </button>
      {isAsked && (
        <button type="button" onClick={() => setAsked(false)}>
          No
        </button>
      )}
      {refusal !== null && (
        <p className="fault" role="alert">
          {refusal}
        </p>
      )}
    </form>
  );
}

function faultOf(micros: Micros, max: number | null): string | null {
  if (micros === 0) return 'Nothing to withdraw.';
  if (max !== null && micros > max)
    return `At most $${formatExact(max / 1e6)}: buying power less what is still requested.`;
  return null;
}

interface MeaningProps {
  readonly isAsked: boolean;
  readonly micros: Micros | null;
  readonly outstanding: number;
}

/** The coming steps, in order. */
function Meaning({ isAsked, micros, outstanding }: MeaningProps): ReactNode {
  const { stores } = useTerminal();
  const address = useStore(stores.session, (session) => session.address) ?? '';
  if (outstanding >= OUTSTANDING_MAX) {
    return (
      <p className="warning">
        {OUTSTANDING_MAX} withdrawals wait for the venue, which is the most. Ask again when one is set aside.
      </p>
    );
  }
  if (isAsked && micros !== null) {
    return (
      <p className="warning" role="status">
        ${formatExact(micros / 1e6)} leaves your cash now and cannot be put back. It is paid to{' '}
        {shortAddress(address)} and to nobody else, and only once the venue’s operator sets it aside on chain.
      </p>
    );
  }
  return (
    <p className="muted">
      No fee. The venue pays the gas of setting it aside, and may let small amounts wait until together they
      are worth it; claiming it from the vault is yours to do, and its gas yours to pay.
    </p>
  );
}
