/** The usual spreads, and what their arrows change. */

import { type ReactNode, useState } from 'react';
import { expiryLabel } from '../../../basics/dates.ts';
import { useStore, useTerminal } from '../../../terminal/terminal.ts';
import type { Preset, PresetKind, Tray } from '../core/form/order.ts';
import { aimOf } from '../core/tray/aim.ts';
import { rollTargets } from '../core/tray/closing.ts';
import type { TrayDesk } from '../core/tray/desk.ts';
import { namedLegs } from '../core/tray/legs.ts';
import { AROUND_MONEY, BOUGHT_ONLY, PRESETS, WITH_RIGHT, WITHOUT_WIDTH } from '../core/tray/presets.ts';

interface PresetsProps {
  readonly desk: TrayDesk;
  readonly tray: Tray;
}

/** All presets until there are legs, then a button that names what they are and shows the presets again. */
export function TrayPresets({ desk, tray }: PresetsProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const hasLegs = tray.legs.length > 0;
  const choose = (kind: PresetKind) => {
    setOpen(false);
    desk.choose(kind);
  };
  return (
    <>
      {(isOpen || !hasLegs) && <All chosen={tray.preset?.kind ?? null} onChoose={choose} />}
      {hasLegs && (
        <div className="tray-shape">
          <button
            type="button"
            className="chip"
            aria-expanded={isOpen}
            aria-label={`Strategies, now ${nameOf(tray)}`}
            onClick={() => setOpen(!isOpen)}
          >
            {nameOf(tray)} {isOpen ? '▴' : '▾'}
          </button>
          {tray.preset !== null && <Shape desk={desk} preset={tray.preset} />}
          {aimOf(tray) === 'trade' && (
            <Arrows
              label="Expiry"
              value={firstExpiry(tray)}
              onLess={() => desk.turnExpiry(-1)}
              onMore={() => desk.turnExpiry(1)}
            />
          )}
          {tray.rolls !== null && <RollTarget desk={desk} legs={tray.legs} rolls={tray.rolls} />}
          <button type="button" className="chip" onClick={() => desk.close()}>
            Clear
          </button>
        </div>
      )}
    </>
  );
}

function nameOf(tray: Tray): string {
  const { preset } = tray;
  const aim = aimOf(tray);
  if (aim !== 'trade') return aim === 'roll' ? 'Roll' : 'Close';
  return preset === null ? 'Own legs' : PRESETS[preset.kind];
}

interface AllProps {
  readonly chosen: PresetKind | null;
  readonly onChoose: (kind: PresetKind) => void;
}

function All({ chosen, onChoose }: AllProps): ReactNode {
  return (
    <fieldset className="tray-presets">
      <legend className="visually-hidden">Strategy</legend>
      {(Object.keys(PRESETS) as PresetKind[]).map((kind) => (
        <button key={kind} type="button" aria-pressed={chosen === kind} onClick={() => onChoose(kind)}>
          {PRESETS[kind]}
        </button>
      ))}
    </fieldset>
  );
}

interface RollTargetProps extends Pick<Tray, 'legs'> {
  readonly desk: TrayDesk;
  readonly rolls: NonNullable<Tray['rolls']>;
}

/** The later expiries that list the strikes. */
function RollTarget({ desk, legs, rolls }: RollTargetProps): ReactNode {
  const strikes = useStore(useTerminal().stores.listing, (listing) => listing.strikes);
  return (
    <label className="roll-target">
      To{' '}
      <select
        value={Math.max(...namedLegs(legs).map(({ expiryTs }) => expiryTs))}
        onChange={({ target }) => desk.roll(rolls, Number(target.value))}
      >
        {rollTargets(rolls, strikes).map((expiryTs) => (
          <option key={expiryTs} value={expiryTs}>
            {expiryLabel(expiryTs, Date.now())}
          </option>
        ))}
      </select>
    </label>
  );
}

function firstExpiry({ legs }: Tray): string {
  return expiryLabel(Math.min(...namedLegs(legs).map(({ expiryTs }) => expiryTs)), Date.now());
}

interface ShapeProps {
  readonly desk: TrayDesk;
  readonly preset: Preset;
}

function Shape({ desk, preset }: ShapeProps): ReactNode {
  const { kind, side, right, width, shift } = preset;
  const steps = kind === 'calendar' ? 'expiry' : 'strike';
  const plural = steps === 'expiry' ? 'expiries' : 'strikes';
  return (
    <>
      {!BOUGHT_ONLY.has(kind) && (
        <button
          type="button"
          className={`chip ${side}`}
          aria-label={side === 'buy' ? 'Bought. Sell it instead' : 'Sold. Buy it instead'}
          onClick={() => desk.shape({ side: side === 'buy' ? 'sell' : 'buy' })}
        >
          {side === 'buy' ? 'Buy' : 'Sell'}
        </button>
      )}
      {WITH_RIGHT.has(kind) && (
        <button
          type="button"
          className="chip"
          aria-label={right === 'call' ? 'Calls. Use puts instead' : 'Puts. Use calls instead'}
          onClick={() => desk.shape({ right: right === 'call' ? 'put' : 'call' })}
        >
          {right === 'call' ? 'Calls' : 'Puts'}
        </button>
      )}
      {!WITHOUT_WIDTH.has(kind) && (
        <Arrows
          label="Width"
          value={`${width} ${width === 1 ? steps : plural}`}
          onLess={width > 1 ? () => desk.shape({ width: width - 1 }) : null}
          onMore={() => desk.shape({ width: width + 1 })}
        />
      )}
      <Arrows
        label="Strikes"
        value={
          shift === 0
            ? `${AROUND_MONEY.has(kind) ? 'around' : 'at'} the money`
            : `${Math.abs(shift)} ${shift > 0 ? 'above' : 'below'}`
        }
        onLess={() => desk.shape({ shift: shift - 1 })}
        onMore={() => desk.shape({ shift: shift + 1 })}
      />
    </>
  );
}

interface ArrowsProps {
  readonly label: string;
  readonly value: string;
  /** Null at the end. */
  readonly onLess: (() => void) | null;
  readonly onMore: () => void;
}

function Arrows({ label, value, onLess, onMore }: ArrowsProps): ReactNode {
  return (
    <fieldset className="arrows">
      <legend className="visually-hidden">{label}</legend>
      <button
        type="button"
        aria-label={`${label}: less`}
        disabled={onLess === null}
        onClick={() => onLess?.()}
      >
        ‹
      </button>
      <span>{value}</span>
      <button type="button" aria-label={`${label}: more`} onClick={onMore}>
        ›
      </button>
    </fieldset>
  );
}
