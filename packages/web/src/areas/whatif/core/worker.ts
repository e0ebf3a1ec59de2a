/**
 * The worker that computes what-ifs. A question is answered at once; the table and the call points, which take as long as
 * a hundred answers, wait until no question does.
 */

import type { Book } from './book.ts';
import type { Question, Reply, Survey } from './messages.ts';
import { callPoints, heatTable, type TableEdges, tableDates, tableSpots } from './survey.ts';
import { type Imagined, WhatIf } from './what-if.ts';

let whatIf: WhatIf | null = null;
let edges: TableEdges = { dates: [], spots: [] };
let table: Survey['table'] = [];
/** The inputs of the table that is shown. */
let tableVol = Number.NaN;
/** The key of the survey that was sent last. */
let sent = '';
let surveying: ReturnType<typeof setTimeout> | undefined;

addEventListener('message', ({ data: { at, book } }: MessageEvent<Question>) => {
  if (book !== null) take(book);
  if (whatIf === null) return;
  reply({ answer: { at, outlook: whatIf.outlook(at), greeks: whatIf.greeks(at) } });
  clearTimeout(surveying);
  surveying = setTimeout(() => survey(at));
});

function take(book: Book): void {
  whatIf = new WhatIf(book);
  edges = { dates: tableDates(book), spots: tableSpots(book) };
  tableVol = Number.NaN;
  sent = '';
}

function survey({ vol, days }: Imagined): void {
  const wanted = `${vol} ${days}`;
  if (whatIf === null || wanted === sent) return;
  if (vol !== tableVol) {
    table = heatTable(whatIf, edges, vol);
    tableVol = vol;
  }
  sent = wanted;
  reply({ survey: { ...edges, table, calls: callPoints(whatIf, { vol, days }) } });
}

function reply(message: Reply): void {
  postMessage(message);
}
