/** The answers to an operator's four questions, each a link to the section with all of it. */

import type { ReactNode } from 'react';
import styles from './Admin.module.css';
import type { Watched } from './admin-console.ts';
import { glanceOf } from './glance.ts';

export function Glance({ watched }: { readonly watched: Watched }): ReactNode {
  return (
    <nav className={`${styles.glance} ${styles.wide}`} aria-label="At a glance">
      {glanceOf(watched).map(({ question, section, answer, detail, isUrgent }) => (
        <a key={section} className="panel-box" href={`#${section}`} data-waits={isUrgent}>
          <span className="muted">{question}</span>
          <strong className={isUrgent ? 'fault' : ''}>{answer}</strong>
          <span>{detail}</span>
        </a>
      ))}
    </nav>
  );
}
