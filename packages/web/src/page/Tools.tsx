/** The page's settings: its colours, and the keyboard help. */

import { type ReactNode, useState } from 'react';
import { OTHER_RELEASE } from '../areas/notices/core/notices.ts';
import { useStore, useTerminal } from '../terminal/terminal.ts';
import { chooseScheme, chosenScheme, SCHEMES, type Scheme } from './scheme.ts';
import styles from './Tools.module.css';

const NAMES: Readonly<Record<Scheme, string>> = { auto: 'Auto', dark: 'Dark', light: 'Light' };

export function Tools(): ReactNode {
  const { stores } = useTerminal();
  const isOtherReleaseReady = useStore(stores.view, (view) => view.isOtherReleaseReady);
  const [scheme, setScheme] = useState(chosenScheme);
  const next = SCHEMES[(SCHEMES.indexOf(scheme) + 1) % SCHEMES.length]!;
  return (
    <span className={`${styles.tools} bare`}>
      <button
        type="button"
        title={`Colours: ${NAMES[scheme]}. Press for ${NAMES[next]}.`}
        aria-label={`Colours: ${NAMES[scheme]}. Change to ${NAMES[next]}`}
        onClick={() => {
          chooseScheme(next);
          setScheme(next);
        }}
      >
        <span aria-hidden="true">◐</span> <span className={styles.toolText}>{NAMES[scheme]}</span>
      </button>
      <button
        type="button"
        title={isOtherReleaseReady ? `${OTHER_RELEASE}. Shortcuts and about (?)` : 'Shortcuts and about (?)'}
        aria-label={isOtherReleaseReady ? `Shortcuts and about. ${OTHER_RELEASE}` : 'Shortcuts and about'}
        data-news={isOtherReleaseReady}
        onClick={() => stores.view.setState({ isHelpOpen: true })}
      >
        <span aria-hidden="true">?</span>
      </button>
    </span>
  );
}
