/** The thread of `curve-thread.ts`: answers each question with its curves. */

import { parentPort } from 'node:worker_threads';
import { yieldProcessor } from '../threads/low-priority.ts';
import type { CurveQuestion } from './curve-thread.ts';
import { pnlCurves } from './pnl-curves.ts';

const port = parentPort!;
// What somebody imagines can wait for what others trade.
yieldProcessor('below normal');
port.on('message', ({ holdings, ts }: CurveQuestion) => port.postMessage(pnlCurves(holdings, ts)));
