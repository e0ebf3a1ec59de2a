/** What one run leaves behind must not be collected in the next one's time. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export function collectGarbage(): void {
  collect();
}
