/** The thread of `archiver.ts`: writes and proves one archive, posts one message and ends. */

import { parentPort, workerData } from 'node:worker_threads';
import { copyOldEntries } from '@venue/audit';
import type { ArchiveResult, ArchiveTask } from './archiver.ts';

const { log, out } = workerData as ArchiveTask;
const result: ArchiveResult = await copyOldEntries({ log, out, keep: 'snapshot' }).then(
  (archived) => ({ toSeq: 'none' in archived ? null : archived.toSeq }),
  (error: Error) => ({ error: error.message }),
);
parentPort!.postMessage(result);
