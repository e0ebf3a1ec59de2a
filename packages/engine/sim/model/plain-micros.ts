/** Amounts of the model in messages. */

import type { Micros } from '@venue/protocol';
import { clamp } from './numbers.ts';

export function plainMicros(amount: bigint): Micros {
  return Number(clamp(amount)) as Micros;
}
