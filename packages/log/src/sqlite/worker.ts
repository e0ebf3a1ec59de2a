/** The thread of a log file that this process writes. */

import { parentPort, workerData } from 'node:worker_threads';
import { SqliteFile } from './file.ts';
import type { SqliteOpening, SqliteRequest } from './messages.ts';
import { answerRead, readingOf, serveAll, tellOpened } from './serving.ts';

const { path } = workerData as { path: string };
const file = tellOpened(
  () =>
    new SqliteFile(path, (warning) => {
      parentPort!.postMessage({ warning } satisfies SqliteOpening);
    }),
);
if (file) serve(file);

function serve(log: SqliteFile): void {
  const reading = readingOf(log.tables);
  const answer = (request: SqliteRequest): unknown => {
    switch (request.op) {
      case 'commit':
        return log.commit(...request.args);
      case 'dropSome':
        return log.dropSome(...request.args);
      case 'saveSnapshot':
        return log.saveSnapshot(...request.args);
      case 'writeStamp':
        return log.writeStamp(...request.args);
      case 'close':
        return log.close();
      default:
        return answerRead(reading, request);
    }
  };
  serveAll({
    answer,
    onAnswered: (op) => {
      if (op === 'commit') log.noteHead();
    },
  });
}
