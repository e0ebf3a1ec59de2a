/** Units and net price of the tray's order; the net also by a slider between the books' touch and far touch. */

import { microsToDecimal } from '@venue/protocol';
import { type FormEvent, type ReactNode, useId } from 'react';
import { formatExact } from '../../../basics/numbers.ts';
import { Info } from '../../../kit/Info.tsx';
import type { Tray } from '../core/form/order.ts';
import type { TrayDesk } from '../core/tray/desk.ts';
import { type Nets, netsOf, type QuoteOf, readNet, shareOf } from '../core/tray/net.ts';
import { netWords, spreadName } from '../core/tray/words.ts';
import { AmountField, Switch } from '../fields.tsx';

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
      <AmountField
        of="qty"
        label="Quantity"
        value={tray.qty}
        isSent={isSent}
        unit={tray.qty === '1' ? 'unit' : 'units'}
        onType={(qty) => desk.edit({ qty })}
      />
      <AmountField
        of="price"
        unit="$ a unit"
        value={tray.price}
        isSent={isSent}
        label={tray.isCredit ? 'Receive at least' : 'Pay at most'}
        isZeroFine
        onType={(price) => desk.edit({ price })}
      />
      <NetSlider {...{ desk, tray }} nets={netsOf(tray.legs, quoteOf)} />
      <div className="tray-checks">
        <Switch
          name="Net price as"
          options={DIRECTIONS}
          chosen={tray.isCredit ? 'credit' : 'debit'}
          onChoose={(one) => desk.edit({ isCredit: one === 'credit' })}
        />
        <label className="tray-check">
          <input
            type="checkbox"
            checked={tray.tif === 'fok'}
            onChange={({ target }) => desk.edit({ tif: target.checked ? 'fok' : 'ioc' })}
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

const DIRECTIONS = { debit: 'Debit', credit: 'Credit' } as const;

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
