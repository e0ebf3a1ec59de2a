import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FlowDriver, Reports, readFlow, WORKLOADS } from '../test/workload.ts';
import { Book, OrderStore } from './book.ts';

const REPORTS_MAX = 700_000;

describe('recorded flows give the reports that other engines agree on', () => {
  for (const { file, sha256 } of WORKLOADS) {
    test(`ORD-6 price-time priority: ${file}`, () => {
      const store = new OrderStore();
      const reports = new Reports(REPORTS_MAX);
      new FlowDriver({ flow: readFlow(file), store, book: new Book(store, 1), reports }).run();
      assert.equal(reports.sha256(), sha256);
    });
  }
});
