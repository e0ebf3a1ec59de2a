// @seconds 3

import { describe } from 'node:test';
import { EVERYDAY_SEEDS, SeedRuns } from './test-seeds.ts';

const runs = new SeedRuns();

describe('nodes under faults: the log holds each acknowledged write once, as answered; replays and nodes agree', () => {
  runs.each(1, EVERYDAY_SEEDS);
});
