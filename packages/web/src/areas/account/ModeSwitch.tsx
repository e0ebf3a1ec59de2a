/** How the account's shorts are margined, and the switch between the two ways (DRM-1, DET-7). */

import type { MarginMode } from '@venue/protocol';
import { type ReactNode, useState } from 'react';
import { Info } from '../../kit/Info.tsx';
import { useTerminal } from '../../terminal/terminal.ts';
import { useAnnouncement } from '../../terminal/use-announcement.ts';
import styles from './AccountPanel.module.css';

const MODES = [
  [
    'defined-risk',
    'Defined risk',
    'Longs cover shorts of their expiry: a spread locks the most that it can lose.',
  ],
  ['per-leg', 'Leg by leg', 'Each short locks margin as if it stood alone, whatever else is held.'],
] as const;

interface ModeSwitchProps {
  readonly mode: MarginMode;
}

/** A refusal stands under the choice, which stays as it was. */
export function ModeSwitch({ mode }: ModeSwitchProps): ReactNode {
  const { actions } = useTerminal();
  const [refusal, setRefusal] = useState<string | null>(null);
  useAnnouncement(refusal);
  const choose = async (next: MarginMode) => {
    setRefusal(null);
    setRefusal(await actions.setMarginMode(next, { turnsOn: false }));
  };
  return (
    <fieldset className={styles.marginModes}>
      <legend>Shorts are margined</legend>
      {MODES.map(([value, name]) => (
        <label key={value}>
          <input
            type="radio"
            name="margin-mode"
            checked={mode === value}
            onChange={() => void choose(value)}
          />
          {name}
        </label>
      ))}
      <Info about="how shorts are margined">
        {MODES.map(([value, name, meaning]) => (
          <span key={value} className={styles.meaning}>
            <b>{name}.</b> {meaning}{' '}
          </span>
        ))}
      </Info>
      {refusal !== null && <p className="fault">{refusal}</p>}
    </fieldset>
  );
}
