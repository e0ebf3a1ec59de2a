/** Collects one run's garbage, so that it does not count against the next. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export function collectGarbage(): void {
  collect();
}
