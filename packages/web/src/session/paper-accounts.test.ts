import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Hex } from '@venue/protocol';
import { walletFromPrivateKey } from '@venue/sdk';
import type { KeptSession } from './kept-session.ts';
import { PAPER_ACCOUNTS_MAX, PaperAccounts } from './paper-accounts.ts';
import { nameOf, nextName, oldName } from './paper-names.ts';
import { MemoryPapers } from './store.ts';

const keyAt = (i: number): Hex => `0x${i.toString(16).padStart(64, '0')}`;

function opened() {
  const place = new MemoryPapers();
  let atMs = 1_000;
  return { place, papers: new PaperAccounts(place, () => ++atMs) };
}

describe('the paper accounts of a browser (TERM-14)', () => {
  it('gives each the next name, and keeps its key', async () => {
    const { papers } = opened();
    for (const i of [1, 2, 1]) await papers.add(keyAt(i));
    const list = await papers.list();
    assert.deepEqual(
      list.map(({ name }) => name),
      ['Paper 1', 'Paper 2'],
    );
    assert.equal(await papers.keyOf(list[1]!.address.toUpperCase().replace('0X', '0x')), keyAt(2));
    assert.ok(list[0]!.usedMs > list[1]!.usedMs, 'the first was added again');
  });

  it('renames in one line of 24 characters, and refuses what nobody can see', async () => {
    const { papers } = opened();
    await papers.add(keyAt(1));
    const { address } = (await papers.list())[0]!;
    assert.equal(await papers.rename(address, ' \u202e\u200b '), false);
    assert.equal((await papers.list())[0]!.name, 'Paper 1');
    await papers.rename(address, '\u202e<b>my\nfirst</b> and only account');
    assert.equal((await papers.list())[0]!.name, '<b>my first</b> and only');
    assert.equal([...nameOf('😀'.repeat(30))].length, 24);
    assert.equal(nextName(['Paper 9', 'Paper 99999', 'mine']), 'Paper 10');
    assert.equal(nextName(['mine']), 'Paper 2');
  });

  it('does not bring back what another tab has forgotten', async () => {
    const { place, papers } = opened();
    await papers.add(keyAt(1));
    const { address } = (await papers.list())[0]!;
    await new PaperAccounts(place).forget(address);
    await papers.rename(address, 'mine');
    await papers.keepSession(address, null);
    assert.deepEqual(await papers.list(), []);
    assert.equal(await papers.keyOf(address), null);
  });

  it('leaves out what is nonsense, and a key or session that is of another account', async () => {
    const { place, papers } = opened();
    await papers.add(keyAt(1));
    await papers.add(keyAt(2));
    const [one, other] = await papers.list();
    const record = { name: 'x', createdMs: 1, usedMs: 1, key: keyAt(1), session: { account: one!.address } };
    await place.change(
      () =>
        new Map<string, never>([
          ['nobody', record as never],
          [`0x${'1'.repeat(40)}`, 'nonsense' as never],
          [`0x${'2'.repeat(40)}`, { ...record, name: 7 } as never],
          [`0x${'3'.repeat(40)}`, { ...record, createdMs: '1' } as never],
          [other!.address, record as never],
        ]),
    );
    assert.equal((await papers.list()).length, 2);
    assert.equal(await papers.keyOf(other!.address), null);
    assert.equal(await papers.sessionOf(other!.address), null);
  });

  it('keeps the session of each, until it is signed out', async () => {
    const { papers } = opened();
    await papers.add(keyAt(1));
    const { address } = (await papers.list())[0]!;
    const session = { account: address, privateKey: keyAt(9) } as KeptSession;
    await papers.keepSession(address, session);
    assert.equal((await papers.sessionOf(address))?.privateKey, keyAt(9));
    await papers.keepSession(address, null);
    assert.equal(await papers.sessionOf(address), null);
  });

  it(`refuses more than ${PAPER_ACCOUNTS_MAX}, and changes nothing`, async () => {
    const { papers } = opened();
    for (let i = 1; i <= PAPER_ACCOUNTS_MAX; i++) await papers.add(keyAt(i));
    await assert.rejects(papers.assertRoom(), /forget one first/);
    await papers.forget((await papers.list())[0]!.address);
    await papers.assertRoom();
  });

  it('starts over under the same name in the same place, and keeps the one before as an old one', async () => {
    const { papers } = opened();
    const session = { account: walletFromPrivateKey(keyAt(3)).address, privateKey: keyAt(9) } as KeptSession;
    for (const i of [1, 2]) await papers.add(keyAt(i));
    const [first] = await papers.list();
    await papers.add(keyAt(3), { replaces: first!.address, session });
    await papers.add(keyAt(4), { replaces: session.account });
    assert.deepEqual(
      (await papers.list()).map(({ name }) => name),
      ['Paper 1', 'Paper 2', 'Paper 1 (old)', 'Paper 1 (old 2)'],
    );
    assert.equal(await papers.keyOf(first!.address), keyAt(1));
    assert.equal((await papers.sessionOf(session.account))?.privateKey, keyAt(9));
    const long = 'a'.repeat(24);
    assert.deepEqual(
      [oldName(long, []), oldName('x', ['x (old)'])],
      [`${'a'.repeat(18)} (old)`, 'x (old 2)'],
    );
    // One that was forgotten meanwhile has no name to take.
    await papers.add(keyAt(5), { replaces: `0x${'7'.repeat(40)}`, name: ' mine ' });
    assert.equal((await papers.list()).at(-1)!.name, 'mine');
  });

  it('has what the browser refuses to keep as long as the page, and says so', async () => {
    const { place, papers } = opened();
    await papers.add(keyAt(1));
    const keeps = place.change.bind(place);
    place.change = async (decide) => {
      decide(await place.read());
      throw new DOMException('full', 'QuotaExceededError');
    };
    await papers.add(keyAt(2));
    await papers.add(keyAt(1));
    const listed = async () => (await papers.list()).map(({ name, isKept }) => `${name} ${isKept}`);
    assert.deepEqual(await listed(), ['Paper 1 true', 'Paper 2 false']);
    const { address } = (await papers.list())[1]!;
    assert.equal(await papers.keyOf(address), keyAt(2));
    assert.equal(await papers.rename(address, 'mine'), true);
    await papers.keepSession(address, { account: address, privateKey: keyAt(9) } as KeptSession);
    assert.equal((await papers.sessionOf(address))?.privateKey, keyAt(9));
    await assert.rejects(papers.rename((await papers.list())[0]!.address, 'mine'), /full/);
    place.change = keeps;
    await papers.add(keyAt(2));
    assert.deepEqual(await listed(), ['Paper 1 true', 'mine true']);
    place.read = () => Promise.reject(new Error('gone'));
    assert.deepEqual(await listed(), []);
  });
});
