/** Writes `minutes.csv`: a short recording of the simulator, for trying `venue feed --replay`. */

import { writeFileSync } from 'node:fs';
import { profileOf } from '@venue/protocol/simulation';
import { formatRow, RECORDING_HEADER } from '../src/recording.ts';
import { simulate } from '../src/simulator.ts';

const START_MS = Date.UTC(2026, 0, 5, 15, 0, 0);
const LENGTH_MS = 3 * 60_000;

/** The text of the sample file. */
export function sampleCsv(): string {
  const instruments = [
    profileOf('BTC', 'crypto'),
    profileOf('ETH', 'crypto'),
    profileOf('AAPL', 'equity'),
    profileOf('SPX', 'index'),
  ];
  const lines = [RECORDING_HEADER];
  for (const { atMs, prints } of simulate({ seed: 2026, instruments, tickMs: 1_000, gapEveryMs: 60_000 })) {
    if (atMs >= LENGTH_MS) break;
    for (const print of prints) lines.push(formatRow(START_MS + atMs, print));
  }
  return `${lines.join('\n')}\n`;
}

if (import.meta.main) writeFileSync(new URL('minutes.csv', import.meta.url), sampleCsv());
