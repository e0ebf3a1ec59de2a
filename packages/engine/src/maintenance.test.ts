import { describe, test } from 'node:test';
import { scenario } from '../test/scenario.ts';

describe('the maintenance tick', () => {
  test('a tick within half the interval after the last one changes nothing', () => {
    scenario(`
      -- the venue was rolled for three days at this instant
      maintain days 1 2 3 4       early
      wait 2499ms
      maintain days 1 2 3 4       early
      instrument AAPL             series 246
      wait 1ms
      -- a day has 41 strikes, two rights, two symbols
      maintain days 1 2 3 4       listed 164
      maintain days 1 2 3 4 5     early
    `);
  });

  test("MM-4 quotes of a maker silent for the limit are pulled at the next tick, traders' orders stay", () => {
    scenario(`
      quote AAPL-C-190 bid 3x1 ask 4x1
      buy alice AAPL-C-190 1 @ 3  rested
      wait 29999ms
      maintain
      book AAPL-C-190             bid maker 3x1 alice 3x1 ask maker 4x1
      wait 2500ms
      maintain
      book AAPL-C-190             bid alice 3x1
    `);
    scenario(`
      quote AAPL-C-190 bid 3x1 ask 4x1
      wait 30s
      book AAPL-C-190             bid maker 3x1 ask maker 4x1
      maintain
      book AAPL-C-190             empty
    `);
  });

  test('MM-4 the limit counts from the last push, even one that changes nothing', () => {
    scenario(`
      quote AAPL-C-190 bid 3x1 ask 4x1
      wait 29s
      quote AAPL-C-190 bid 3x1    kept
      wait 29s
      maintain
      book AAPL-C-190             bid maker 3x1 ask maker 4x1
      wait 1s
      maintain                    early
      book AAPL-C-190             bid maker 3x1 ask maker 4x1
      wait 1500ms
      maintain
      book AAPL-C-190             empty
    `);
  });

  test('FEED-2 spots are updated as sources fall silent', () => {
    scenario(`
      print other AAPL 210
      instrument AAPL             spot 205 feed fresh
      wait 30s
      print other AAPL 210
      wait 30001ms
      instrument AAPL             spot 205
      maintain days 1 2 3
      instrument AAPL             spot 210 feed fresh
    `);
  });
});
