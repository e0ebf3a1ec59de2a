import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LogDivergedError, LogFailedError, LogFullError, LogUnavailableError } from '@venue/log';
import { TracingMissingError } from '@venue/telemetry';
import { explain } from './explain.ts';

describe('the end of a process is explained', () => {
  it('in one line if an operator can fix it, whatever failed afterwards', () => {
    const unavailable = new LogUnavailableError('none');
    assert.equal(explain(unavailable), 'the log cannot be reached; nothing was written');
    const failed = new LogFailedError(new Error('disk I/O error'), 'check the disk');
    assert.match(
      explain(failed),
      /^the log could not be [^\n]*disk I\/O error; check the disk, then start again/,
    );
    assert.match(
      explain(new LogDivergedError(7)),
      /^entry 7 is no longer in the log [^\n]*; restart the node$/,
    );
    assert.equal(explain(new TracingMissingError('install them')), 'install them');
    const both = new SuppressedError(new Error('the close failed, too'), new LogFullError());
    assert.match(explain(both), /^the disk of the log is full; [^\n]*$/);
  });

  it('with its stack if only a developer can', () => {
    assert.match(explain(new TypeError('x is not a function')), /^TypeError: x is not a function\n {4}at /);
  });
});
