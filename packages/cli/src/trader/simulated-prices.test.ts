import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type LocalVenue, startVenue } from '../../../exchange/test/support.ts';
import { runInProcess } from '../../test/in-process.ts';

let venue: LocalVenue;
before(async () => {
  venue = await startVenue();
});
after(() => venue.exchange.stop());

const SAID = 'venue: prices are simulated\n';

async function stderrOf(words: string): Promise<string> {
  const { code, stderr } = await runInProcess(words.split(' '), { VENUE_URL: venue.url });
  assert.equal(code, 0, stderr);
  return stderr;
}

test('FEED-1: a person who looks at simulated prices is told, and programs are not disturbed', async () => {
  await venue.feed([{ symbol: 'BTC', source: 'kraken:trades', price: 100_000 }]);
  await venue.listed('BTC');
  const pages = ['series', 'chain btc', 'greeks btc'];
  for (const words of pages) assert.equal(await stderrOf(words), '', words);
  await venue.feed([{ symbol: 'BTC', source: 'sim:trades', price: 100_000 }]);
  for (const words of pages) {
    assert.equal(await stderrOf(words), SAID, words);
    assert.equal(await stderrOf(`${words} --json`), '', words);
  }
});
