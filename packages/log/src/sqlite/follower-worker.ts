/** The thread of a log file that another process writes. */

import { parentPort, workerData } from 'node:worker_threads';
import { FileWatch } from './file-watch.ts';
import { FollowedFile } from './followed-file.ts';
import type { SqliteRequest } from './messages.ts';
import { answerRead, readingOf, serveAll, tellOpened } from './serving.ts';

const { path } = workerData as { path: string };
const file = tellOpened(() => new FollowedFile(path));
if (file) serve(file);

function serve(followed: FollowedFile): void {
  const reading = readingOf(followed.tables);
  const watch = new FileWatch(followed, (news, give) => parentPort!.postMessage(news, give));
  const answer = (request: SqliteRequest): unknown => {
    switch (request.op) {
      case 'follow':
        return watch.begin();
      case 'taken':
        return watch.taken();
      case 'close':
        watch.stop();
        return followed.close();
      default:
        return answerRead(reading, request);
    }
  };
  serveAll({ answer });
}
