import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apply, createState, decodeEntry, restoreState, stateLines } from '@venue/engine';
import type { Address, NewsKind } from '@venue/protocol';
import { CALLED, THOUSAND, TICK } from '../../engine/test/margin-calls.ts';
import { scenario } from '../../engine/test/scenario.ts';
import { addressOf, type Venue } from '../../engine/test/venue.ts';
import { Collector } from './collector.ts';
import { type News, wordsOf } from './news.ts';

/** The news of an account that a venue's log has, from an entry on; all of its entries count as one page. */
function newsOf(
  venue: Venue,
  name: string,
  { wants = () => true, fromSeq = 0 }: Asked = {},
): Map<NewsKind, News> {
  const state = createState();
  const collector = new Collector(state, wants);
  for (const { seq, ts, kind, body } of venue.log) {
    collector.collect(seq > fromSeq);
    apply(state, { seq, ts, command: decodeEntry({ seq, ts, kind, body }).command }, collector.effects);
    collector.afterEntry(kind);
  }
  return collector.take().get(addressOf(name)) ?? new Map();
}

interface Asked {
  readonly wants?: (account: Address, kind: NewsKind) => boolean;
  readonly fromSeq?: number;
}

const said = (news: Map<NewsKind, News>, kind: NewsKind) => wordsOf(news.get(kind)!).body;

describe('PUSH-1 what is news', () => {
  test('a part of a resting order, and of one that trades as it comes', () => {
    const venue = scenario(`
      buy alice AAPL-C-190 5 @ 3.20            rested
      margin bob on
      sell bob AAPL-C-190 2 @ 3.20             filled 2@3.20
      quote AAPL-C-200 bid 1x1 ask 2x2
      buy carol AAPL-C-200 3 @ 2               partial 2@2 rest 1
    `);
    assert.match(said(newsOf(venue, 'alice'), 'fills'), /^2 of 5 AAPL 1 Jun 190 C filled at 3\.20$/);
    assert.match(said(newsOf(venue, 'bob'), 'fills'), /^2 AAPL 1 Jun 190 C filled at 3\.20$/);
    assert.match(said(newsOf(venue, 'carol'), 'fills'), /^2 of 3 AAPL 1 Jun 200 C filled at 2\.00$/);
  });

  test('a margin call when it begins, then the liquidation in one message', () => {
    const called = scenario(`${CALLED}${TICK}`, THOUSAND);
    const news = newsOf(called, 'alice');
    // Maintenance 1110 less equity 219.85.
    assert.match(said(news, 'margin'), /^Equity is 890\.15 USD below/);
    assert.equal(news.has('liquidation'), false);
    const fromSeq = called.log.length;
    const closed = newsOf(scenario(`${CALLED}${TICK}${TICK}`, THOUSAND), 'alice', { fromSeq });
    assert.match(said(closed, 'liquidation'), /^10 AAPL 1 Jun 210 C closed at 82\.00$/);
    assert.equal(closed.has('margin'), false);
  });

  test('PUSH-5 a call that began before the snapshot of a start is not told again', () => {
    const venue = scenario(`${CALLED}${TICK}`, THOUSAND);
    const collector = new Collector(restoreState(stateLines(venue.state)), () => true);
    collector.collect(true);
    collector.afterEntry('maintain');
    assert.equal(collector.take().size, 0);
  });

  test('a guard that ran out, and how many orders left with it', () => {
    const venue = scenario(`
      batch alice buy AAPL-C-190 1 @ 3.20 id a ; buy AAPL-C-200 1 @ 1 id b ; guard 5s   rested rest 1 ; rested rest 1 ; ok
      ${TICK}
    `);
    assert.equal(said(newsOf(venue, 'alice'), 'guard'), '2 orders were cancelled.');
  });

  test('nothing that nobody asked for, and nothing of what came before', () => {
    const venue = scenario(`${CALLED}${TICK}${TICK}`, THOUSAND);
    const wants = (_: Address, kind: NewsKind) => kind === 'liquidation';
    assert.deepEqual([...newsOf(venue, 'alice', { wants }).keys()], ['liquidation']);
    assert.equal(newsOf(venue, 'alice', { fromSeq: venue.log.length }).size, 0);
  });
});
