import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generateFlow, PlainBook } from '../../test/generated-flow.ts';
import { FlowDriver, Reports, readFlow, WORKLOADS } from '../../test/workload.ts';
import { Book, OrderStore } from './book.ts';

const REPORTS_MAX = 700_000;

describe('recorded flows give the same reports as other engines', () => {
  for (const { file, sha256 } of WORKLOADS) {
    test(`ORD-6 price-time priority: ${file}`, () => {
      const store = new OrderStore();
      const reports = new Reports(REPORTS_MAX);
      new FlowDriver({ flow: readFlow(file), store, book: new Book(store, 1), reports }).run();
      assert.equal(reports.sha256(), sha256);
    });
  }
});

test('ORD-6 price-time priority: many levels, in crowded and in thin books, as in a plain book', () => {
  for (const depth of [3, 200, 20_000]) {
    const flow = generateFlow({ messages: 20_000, resting: 5_000, depth });
    const store = new OrderStore();
    const reports = new Reports(REPORTS_MAX);
    new FlowDriver({ flow, store, book: new Book(store, 1), reports }).run();
    const expected = new Reports(REPORTS_MAX);
    new PlainBook().run(flow, expected);
    assert.equal(reports.sha256(), expected.sha256());
  }
});
