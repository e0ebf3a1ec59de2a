/** Units and net price of the tray's order; the net also by a slider between the books' touch and far touch. */

import { microsToDecimal } from '@venue/protocol';
import { type FormEvent, type ReactNode, useId } from 'react';
import { AMOUNT_FAULTS, formatExact, parseAmount } from '../../../basics/numbers.ts';
import { Info } from '../../../kit/Info.tsx';
import { stepOf, stepped } from '../../../market/step.ts';
import type { TrayDesk } from '../core/tray/desk.ts';
import { type Nets, netsOf, type QuoteOf, readNet, shareOf } from '../core/tray/net.ts';
import type { Tray } from '../core/tray/state.ts';
import { netWords, spreadName } from '../core/tray/words.ts';

interface TrayFormProps {
  readonly desk: TrayDesk;
  readonly tray: Tray;
  readonly quoteOf: QuoteOf;
  readonly id: string;
}

/** Fields only: the sign-in beside them has its own forms. */
export function TrayForm({ desk, tray, quoteOf, id }: TrayFormProps): ReactNode {
  const send = (event: FormEvent) => {
    event.preventDefault();
    void desk.send();
  };
  const isSent = tray.sending !== 'no';
  return (
    <form id={id} className="order-form" onSubmit={send} aria-label="Terms of the strategy">
      <Amount
        {...{ desk, isSent, name: 'qty' }}
        label="Quantity"
        unit={tray.qty === '1' ? 'unit' : 'units'}
        value={tray.qty}
        isZeroFine={false}
      />
      <Amount
        {...{ desk, isSent, name: 'net' }}
        label={tray.isCredit ? 'Receive at least' : 'Pay at most'}
        unit="$ a unit"
        value={tray.net}
        isZeroFine
      />
      <NetSlider {...{ desk, tray }} nets={netsOf(tray.legs, quoteOf)} />
      <div className="tray-checks">
        <Direction {...{ desk, tray }} />
        <label className="tray-check">
          <input
            type="checkbox"
            checked={tray.isWhole}
            onChange={({ target }) => desk.edit({ isWhole: target.checked })}
          />
          All or none
        </label>
        <Info about="how it trades">
          Immediate or cancel: better than natural it fills only if the market moves to you. What cannot trade
          at once is cancelled; with all or none, all of it.
        </Info>
      </div>
    </form>
  );
}

/** The net is paid as a debit, or received as a credit. */
function Direction({ desk, tray: { isCredit } }: Pick<TrayFormProps, 'desk' | 'tray'>): ReactNode {
  return (
    <fieldset className="switch">
      <legend className="visually-hidden">Net price as</legend>
      {([false, true] as const).map((one) => (
        <label key={String(one)}>
          <input
            type="radio"
            name="direction"
            checked={isCredit === one}
            onChange={() => desk.edit({ isCredit: one })}
          />
          {one ? 'Credit' : 'Debit'}
        </label>
      ))}
    </fieldset>
  );
}

interface AmountProps {
  readonly desk: TrayDesk;
  readonly name: 'qty' | 'net';
  readonly label: string;
  readonly unit: string;
  readonly value: string;
  readonly isZeroFine: boolean;
  readonly isSent: boolean;
}

function Amount({ desk, name, label, unit, value, isZeroFine, isSent }: AmountProps): ReactNode {
  const id = useId();
  const typed = parseAmount(value);
  const isZero = typed.ok && typed.micros === 0 && !isZeroFine;
  const fault =
    value === '' ? null : isZero ? 'Must be more than zero.' : typed.ok ? null : AMOUNT_FAULTS[typed.fault];
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...{ id, name, value }}
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        readOnly={isSent}
        aria-invalid={fault !== null}
        onChange={({ target }) => desk.edit({ [name]: target.value })}
        onKeyDown={(event) => {
          const step = stepOf(event);
          if (step === null) return;
          event.preventDefault();
          desk.edit({ [name]: stepped(name === 'qty' ? 'qty' : 'price', value, step) });
        }}
      />
      <span className="unit">{unit}</span>
      {fault !== null && <span className="fault">{fault}</span>}
    </div>
  );
}

interface NetSliderProps extends Pick<TrayFormProps, 'desk' | 'tray'> {
  readonly nets: Nets;
}

const STOPS = [
  ['touch', 0],
  ['mid', 0.5],
  ['far', 1],
] as const;
const NAMES = { touch: 'Natural', mid: 'Mid', far: 'Far side' } as const;
const MEANINGS = {
  touch: 'Every leg at the best opposite price: trades at once',
  mid: 'Every leg at the middle of its book',
  far: 'Every leg at the best price of its own side, which somebody else would have to give',
} as const;
const STEPS = 100;

function NetSlider({ desk, tray, nets }: NetSliderProps): ReactNode {
  const id = useId();
  const micros = readNet(tray);
  const net = micros === null ? Number.NaN : microsToDecimal(micros);
  const share = shareOf(nets, net);
  const { side } = spreadName(tray.legs, Date.now());
  const words = (at: number) =>
    Number.isNaN(at) ? '–' : netWords(at, side).replace(/^at (a )?|^for a | of/g, '');
  return (
    <div className="net-slider">
      <label htmlFor={id} className="visually-hidden">
        Net price between natural and far side
      </label>
      <input
        id={id}
        type="range"
        min="0"
        max={STEPS}
        value={Math.round((share ?? 0) * STEPS)}
        disabled={share === null && Number.isNaN(nets.touch + nets.far)}
        aria-valuetext={Number.isNaN(net) ? 'unknown' : formatExact(net)}
        onChange={({ target }) => desk.slide(Number(target.value) / STEPS)}
      />
      <div className="net-stops">
        {STOPS.map(([name, at]) => (
          <button
            key={name}
            type="button"
            disabled={Number.isNaN(nets[name])}
            aria-pressed={nets[name] === net}
            title={MEANINGS[name]}
            onClick={() => desk.slide(at)}
          >
            {NAMES[name]} <b>{words(nets[name])}</b>
          </button>
        ))}
      </div>
    </div>
  );
}
