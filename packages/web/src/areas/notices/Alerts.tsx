/** Alerts for filled orders besides their card: sound and desktop notification, each turned on by a press. */

import { type ReactNode, useState } from 'react';
import styles from './Alerts.module.css';
import { type AlertChoice, alertChoice, chime, chooseAlerts } from './core/alerts.ts';

export function Alerts(): ReactNode {
  const [choice, setChoice] = useState(alertChoice);
  const [isRefused, setRefused] = useState(false);
  const choose = (next: AlertChoice) => {
    chooseAlerts(next);
    setChoice(next);
  };
  const chooseSound = (sound: boolean) => {
    choose({ ...choice, sound });
    // Plays at once, which also allows the page to play sound later.
    if (sound) void chime();
  };
  const chooseDesktop = async (desktop: boolean) => {
    const isAllowed =
      !desktop || ('Notification' in window && (await Notification.requestPermission()) === 'granted');
    setRefused(!isAllowed);
    choose({ ...choice, desktop: desktop && isAllowed });
  };
  return (
    <fieldset className={styles.alerts}>
      <legend>When a resting order fills, or a price alert fires</legend>
      <label>
        <input
          type="checkbox"
          checked={choice.sound}
          onChange={(event) => chooseSound(event.target.checked)}
        />
        Play a sound
      </label>
      <label>
        <input
          type="checkbox"
          checked={choice.desktop}
          onChange={(event) => void chooseDesktop(event.target.checked)}
        />
        Notify me on the desktop while I look elsewhere
      </label>
      {isRefused && <p className="warning">Your browser does not allow notifications from this page.</p>}
    </fieldset>
  );
}
