/** Roles and terms of a gate for tests, with delays of hours that a local chain skips. */

import type { GateRequest } from '../src/contract/gate-terms.ts';
import { accountAt } from './chain.ts';

export const proposers = [accountAt(3), accountAt(4)] as const;
export const guardians = [accountAt(5), accountAt(6), accountAt(7)] as const;
export const cold = accountAt(8);

export const GATE: GateRequest = {
  cold: cold.address,
  proposers: proposers.map(({ address }) => address),
  guardians: guardians.map(({ address }) => address),
  vetoes: 2,
  freeMaxMicros: 100_000_000,
  capMaxMicros: 5_000_000_000,
  epochSeconds: 86_400,
  shortDelaySeconds: 3_600,
  longDelaySeconds: 86_400,
  changeDelaySeconds: 259_200,
  sweepDelaySeconds: 259_200,
};
