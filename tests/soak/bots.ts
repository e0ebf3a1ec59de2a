/**
 * A process of trading bots: `bots.ts <url> <first seed> <count>`. Prints `trading` once all are signed in; after
 * SIGTERM it prints each bot's tally, one JSON line per bot, and ends.
 */

import { Bot } from './bot.ts';

const [url = '', first = '0', count = '1'] = process.argv.slice(2);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
const bots = Array.from({ length: Number(count) }, (_, i) => {
  const seed = Number(first) + i;
  return new Bot({ url, seed, usesMargin: seed % 5 < 3 });
});
for (const bot of bots) await bot.open();
console.log('trading');
await Promise.all(bots.map((bot) => bot.run(stop.signal)));
for (const bot of bots) console.log(JSON.stringify(bot.tally));
