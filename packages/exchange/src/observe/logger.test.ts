import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { it, mock } from 'node:test';
import { LogClockError, LogFullError, LogUnavailableError } from '@venue/log';
import { createLogger } from './logger.ts';

it('HTTP-6: a lasting log failure is one line, then one a minute with the number of lines left out', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const logged = () =>
    lines.splice(0).map((line) => {
      const { level, msg, err, route, leftOut } = JSON.parse(line);
      return [level, msg, err?.type, route, leftOut];
    });
  const fail = (count: number, err: Error, msg = 'internal error') => {
    for (let i = 1; i <= count; i += 1) logger.error({ err, route: `/${i}` }, msg);
  };
  fail(1_000, new LogFullError());
  fail(2, new LogFullError(), 'maintenance failed');
  fail(2, new LogUnavailableError('none'));
  fail(2, new LogClockError('the clock jumped'));
  fail(2, new Error('a defect'));
  logger.info('ready');
  assert.deepEqual(logged(), [
    [50, 'internal error', 'LogFullError', '/1', undefined],
    [50, 'maintenance failed', 'LogFullError', '/1', undefined],
    [50, 'internal error', 'LogUnavailableError', '/1', undefined],
    [50, 'internal error', 'LogClockError', '/1', undefined],
    [50, 'internal error', 'Error', '/1', undefined],
    [50, 'internal error', 'Error', '/2', undefined],
    [30, 'ready', undefined, undefined, undefined],
  ]);
  mock.timers.tick(60_000);
  assert.deepEqual(logged(), [
    [50, 'internal error', 'LogFullError', '/1000', 999],
    [50, 'maintenance failed', 'LogFullError', '/2', 1],
    [50, 'internal error', 'LogUnavailableError', '/2', 1],
    [50, 'internal error', 'LogClockError', '/2', 1],
  ]);
  fail(1, new LogFullError());
  mock.timers.tick(60_000);
  assert.deepEqual(logged(), [[50, 'internal error', 'LogFullError', '/1', 1]]);
  mock.timers.tick(120_000);
  fail(1, new LogFullError());
  assert.deepEqual(logged(), [[50, 'internal error', 'LogFullError', '/1', undefined]]);
});

it('HTTP-6: a full disk under the journal ends no process', () => {
  const full = openSync('/dev/full', 'w');
  const code = `
    import { createLogger } from '${import.meta.resolve('./logger.ts')}';
    const logger = createLogger('info');
    for (let i = 0; i < 20_000; i += 1) logger.info('a line of a hundred characters or so that finds no room');
    console.log('still here');`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', full],
    encoding: 'utf8',
  });
  closeSync(full);
  assert.deepEqual([run.status, run.stdout], [0, 'still here\n']);
});
