/** The switch for notifications while the terminal is closed, with the account's devices; nothing where the venue has none. */

import { NEWS_KINDS, type NewsKind, type PushDevice } from '@venue/protocol/push';
import { type ReactNode, use, useEffect, useState } from 'react';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import styles from './Alerts.module.css';
import type { PushDesk, PushState } from './core/push/push-desk.ts';

const WORDS: Readonly<Record<NewsKind, string>> = {
  fills: 'Fills',
  margin: 'Margin calls',
  liquidation: 'Liquidations',
  settlement: 'Settlements',
  guard: 'A guard that ran out',
};

export function Push(): ReactNode {
  const { stores, pushDesk } = useTerminal();
  const desk = use(pushDesk());
  const address = useStore(stores.session, ({ state, address: own }) => (state === 'ready' ? own : null));
  const { state, isBusy, fault } = useStore(desk.view, (view) => view);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account has other devices
  useEffect(() => void desk.look(), [desk, address]);
  if (state.kind === 'absent') return null;
  return (
    <fieldset className={styles.alerts}>
      <legend>While the terminal is closed</legend>
      {'devices' in state ? (
        <Devices {...{ desk, isBusy, state }} key={address} account={address} />
      ) : (
        <p className="muted">{WHY[state.kind]}</p>
      )}
      {fault !== null && (
        <p className="warning" role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

const WHY: Readonly<Record<Exclude<PushState['kind'], 'absent' | 'on' | 'off' | 'lost'>, string>> = {
  unsupported:
    'This browser takes no notifications for closed pages. On iPhone and iPad, add the terminal to the home screen first.',
  refused:
    'Notifications from this page are blocked. Allow them in the browser’s settings for this site, then reload.',
  away: 'Notifications of this venue cannot be reached at the moment.',
  'signed-out': 'Sign in to be notified of fills and margin calls.',
};

type Known = Extract<PushState, { readonly devices: readonly PushDevice[] }>;

interface DevicesProps {
  readonly desk: PushDesk;
  readonly state: Known;
  readonly isBusy: boolean;
  readonly account: string | null;
}

function Devices({ desk, state, isBusy, account }: DevicesProps): ReactNode {
  const own = state.devices.find(({ id }) => id === state.own);
  const [kinds, setKinds] = useState<readonly NewsKind[]>(
    own?.kinds ?? (account === null ? null : desk.kinds(account)) ?? NEWS_KINDS,
  );
  const choose = (kind: NewsKind, isWanted: boolean) => {
    const next = NEWS_KINDS.filter((one) => (one === kind ? isWanted : kinds.includes(one)));
    if (next.length === 0) return;
    setKinds(next);
    if (own !== undefined) void desk.turnOn(next);
  };
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={own !== undefined}
          disabled={isBusy}
          onChange={() => void (own === undefined ? desk.turnOn(kinds) : desk.turnOff(own.id))}
        />
        Notify this device
      </label>
      {state.kind === 'lost' && (
        <p className="warning">This device is no longer notified. Turn it on again.</p>
      )}
      <fieldset className={styles.pushKinds} aria-label="Notify about">
        {NEWS_KINDS.map((kind) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={kinds.includes(kind)}
              disabled={isBusy}
              onChange={(event) => choose(kind, event.target.checked)}
            />
            {WORDS[kind]}
          </label>
        ))}
      </fieldset>
      <OwnDevices {...{ desk, isBusy, state }} />
    </>
  );
}

function OwnDevices({ desk, state, isBusy }: Omit<DevicesProps, 'account'>): ReactNode {
  if (state.devices.length === 0) return null;
  return (
    <ul className={styles.pushDevices} aria-label="Notified devices">
      {state.devices.map(({ id, name }) => (
        <li key={id}>
          {name}
          {id === state.own && <span className="muted"> (this one)</span>}{' '}
          <button
            type="button"
            disabled={isBusy}
            aria-label={`Turn off ${name}`}
            onClick={() => void desk.turnOff(id)}
          >
            Turn off
          </button>
        </li>
      ))}
    </ul>
  );
}
