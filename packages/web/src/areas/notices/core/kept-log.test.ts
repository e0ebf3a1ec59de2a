import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOBODY } from '../../../session/state.ts';
import { createStores } from '../../../terminal/stores.ts';
import { keepLog } from './kept-log.ts';
import { Notices } from './notices.ts';

class Tab {
  readonly kept = new Map<string, string>();
  isFull = false;

  readonly storage = () => ({
    getItem: (key: string) => this.kept.get(key) ?? null,
    removeItem: (key: string) => void this.kept.delete(key),
    setItem: (key: string, value: string) => {
      if (this.isFull) throw new DOMException('full', 'QuotaExceededError');
      this.kept.set(key, value);
    },
  });

  /** The page, loaded in this tab. */
  load({ venue = 'one', address = null as string | null, atMs = 0, storage = this.storage } = {}) {
    const stores = createStores();
    let now = atMs;
    const notices = new Notices(stores.notices, () => ++now);
    keepLog(storage, stores);
    const signIn = (next: string) => stores.session.setState({ ...NOBODY, state: 'ready', address: next });
    const page = {
      say: (title: string) => notices.add({ tone: 'plain', title, text: 'of it' }),
      signIn,
      signOut: () => stores.session.setState(NOBODY, true),
      stores,
      log: () => {
        const { list, earlier } = stores.notices.getState();
        return [...list, ...earlier].map(({ title }) => title);
      },
    };
    if (address !== null) signIn(address);
    stores.link.setState({ venue });
    return page;
  }
}

describe('the log of a tab (TERM-5)', () => {
  it('goes on where it was when the page is loaded again, without cards and buttons', () => {
    const tab = new Tab();
    const first = tab.load({ address: '0xA' });
    first.say('bought');
    first.say('sold');
    const again = tab.load({ address: '0xA', atMs: 10 });
    assert.deepEqual(again.log(), ['sold', 'bought']);
    assert.deepEqual(again.stores.notices.getState().list, []);
    again.say('cancelled');
    assert.deepEqual(tab.load({ address: '0xa' }).log(), ['cancelled', 'sold', 'bought']);
  });

  it('is of one account: another sees its own, and what was said before a sign-in goes with the account', () => {
    const tab = new Tab();
    const page = tab.load();
    page.say('a link');
    page.signIn('0xA');
    page.say('bought');
    page.signIn('0xB');
    assert.deepEqual(page.log(), []);
    page.say('sold');
    page.signOut();
    assert.deepEqual(page.log(), []);
    assert.deepEqual(tab.load({ address: '0xA' }).log(), ['bought', 'a link']);
    assert.deepEqual(tab.load({ address: '0xB' }).log(), ['sold']);
    assert.deepEqual(tab.load().log(), []);
  });

  it('waits while a wallet is asked, which may be declined', () => {
    const page = new Tab().load({ address: '0xA' });
    page.say('bought');
    page.stores.session.setState({ state: 'signing', address: '0xB' });
    assert.deepEqual(page.log(), ['bought']);
    page.signIn('0xA');
    assert.deepEqual(page.log(), ['bought']);
  });

  it('VEN-1: is gone where another venue answers', () => {
    const tab = new Tab();
    tab.load({ address: '0xA' }).say('bought');
    assert.deepEqual(tab.load({ address: '0xA', venue: 'another' }).log(), []);
    assert.deepEqual(tab.load({ address: '0xA' }).log(), []);
  });

  it('has the last 200 lines', () => {
    const tab = new Tab();
    const first = tab.load({ address: '0xA' });
    for (let i = 0; i < 150; i++) first.say(`first ${i}`);
    const second = tab.load({ address: '0xA', atMs: 1_000 });
    for (let i = 0; i < 150; i++) second.say(`second ${i}`);
    const log = tab.load({ address: '0xA' }).log();
    assert.equal(log.length, 200);
    assert.deepEqual([log[0], log[199]], ['second 149', 'first 100']);
  });

  it('lasts as long as the page where storage is full, cleared or refused', () => {
    const tab = new Tab();
    const page = tab.load({ address: '0xA' });
    tab.isFull = true;
    page.say('bought');
    assert.deepEqual(page.log(), ['bought']);
    tab.isFull = false;
    tab.kept.clear();
    page.say('sold');
    assert.deepEqual(tab.load({ address: '0xA' }).log(), ['sold', 'bought']);
    const refused = tab.load({
      address: '0xA',
      storage: () => {
        throw new DOMException('no', 'SecurityError');
      },
    });
    refused.say('alone');
    assert.deepEqual(refused.log(), ['alone']);
  });

  it('takes no foreign value', () => {
    const good = { tone: 'plain', title: 'good', text: '', atMs: 1 };
    const lines = [
      good,
      null,
      7,
      { ...good, tone: 'loud' },
      { ...good, title: {} },
      { ...good, text: 'x'.repeat(5_000) },
      { ...good, lines: 'no list' },
      { ...good, lines: [1] },
      { ...good, atMs: '1' },
      { ...good, atMs: 1e300 },
    ];
    for (const [kept, expected] of [
      [JSON.stringify({ venue: 'one', lines }), ['good']],
      [JSON.stringify({ venue: 'one', lines: {} }), []],
      ['null', []],
      ['[]', []],
      ['{', []],
    ] as const) {
      const tab = new Tab();
      tab.kept.set('venue-log 0xa', kept);
      assert.deepEqual(tab.load({ address: '0xA' }).log(), expected, kept.slice(0, 40));
    }
  });
});
