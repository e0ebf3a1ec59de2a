/** Archives that somebody changed: each is named with where it is damaged. */

// @process audit
// @seconds 3

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { newPath, tamper } from '../../../exchange/test/signed-log.ts';
import { archives, assertFault, linesOf, rewrite, tradedVenue, verify } from '../../test/archives.ts';
import { exportLog } from './export.ts';

describe('an archive that somebody changed', () => {
  it('is named with its entry when it is cut, in the file or in the text', async () => {
    const { venue, one, two } = await archives();
    const bytes = readFileSync(two);
    writeFileSync(two, bytes.subarray(0, -1));
    const { seq } = venue.state;
    const cut = new RegExp(`^archive 2 breaks off or is damaged after entry ${seq}$`);
    assertFault(await verify({ archives: [one, two] }), seq + 1, cut);
    writeFileSync(two, bytes.subarray(0, bytes.length / 2));
    const message = /two.zst is damaged: unexpected end of file$/;
    await assert.rejects(verify({ archives: [one, two] }), { message });
    writeFileSync(two, bytes);
    rewrite(two, (lines) => lines.slice(0, -1));
    const { facts } = await verify({ archives: [one, two] });
    assert.match(facts.fault!.message, /^archive 2 breaks off after entry \d+$/);
    rewrite(two, (lines) => lines.slice(0, 4));
    assertFault(await verify({ archives: [one, two] }), 10, /^archive 2 breaks off after entry 9$/);
    rewrite(two, (lines) => lines.slice(0, 3));
    assertFault(await verify({ archives: [one, two] }), 9, /^archive 2 breaks off after entry 8$/);
  });

  it('is named when its last line does not fit, and when a line is no line', async () => {
    const { one } = await archives();
    rewrite(one, (lines) => [...lines.slice(0, -3), lines.at(-1)!]);
    assertFault(
      await verify({ archives: [one] }),
      6,
      /^archive 1 ends with entry 5, and its last line says otherwise$/,
    );
    const whole = readFileSync(one);
    for (const line of [
      'what',
      '7',
      '[]',
      '{}',
      '{"batch":5}',
      '{"batch":null}',
      '{"batch":{"0":2}}',
      '{"end":null}',
      '{"end":7}',
    ]) {
      writeFileSync(one, whole);
      rewrite(one, (lines) => lines.with(4, line));
      assertFault(await verify({ archives: [one] }), 2, /^archive 1 is damaged in line 5, after entry 1$/);
    }
    for (const wrong of ['"after":5', '"after":null', '"after":[]', '"stamp":"paper"', '"stamp":["paper"]']) {
      writeFileSync(one, whole);
      const key = wrong.split(':')[0]!;
      rewrite(one, (lines) => lines.with(0, lines[0]!.replace(new RegExp(`${key}:{[^}]*}`), wrong)));
      await assert.rejects(verify({ archives: [one] }), {
        name: 'LogToolError',
        message: /is not readable$/,
      });
    }
    writeFileSync(one, whole);
    rewrite(one, (lines) => lines.with(0, lines[0]!.replace('"version":1', '"version":2')));
    await assert.rejects(verify({ archives: [one] }), {
      message: /is an archive of version 2, and this one reads/,
    });
  });

  it('is named when bytes come behind its end, be they nothing or another archive', async () => {
    const { venue, one, two } = await archives();
    const bytes = readFileSync(two);
    const { seq } = venue.state;
    for (const [behind, message] of [
      [Buffer.from('garbage'), /^archive 2 has bytes behind its end$/],
      [Buffer.from('x'), /^archive 2 has bytes behind its end$/],
      [readFileSync(one), /^archive 2 is damaged in line \d+, after entry \d+$/],
    ] as const) {
      writeFileSync(two, Buffer.concat([bytes, behind]));
      assertFault(await verify({ archives: [one, two] }), seq + 1, message);
    }
  });

  it('is named when a line has no end', async () => {
    const { one, two } = await archives();
    const endless = Buffer.alloc(96 * 1024 * 1024, 'x');
    const [header, batch] = linesOf(two);
    writeFileSync(two, zstdCompressSync(Buffer.concat([Buffer.from(`${header}\n${batch}\n`), endless])));
    const message = /^archive 2 has a line of more than 67108864 characters$/;
    assertFault(await verify({ archives: [one, two] }), 8, message);
    writeFileSync(two, zstdCompressSync(endless));
    await assert.rejects(verify({ archives: [one, two] }), {
      name: 'LogToolError',
      message: /two.zst has a line of more than 67108864 characters$/,
    });
  });

  it('is named when archives are in the wrong order, or one is left out', async () => {
    const { venue, one, two } = await archives();
    assertFault(await verify({ archives: [two, one] }), 1, /^entries 1 to 7 are not given, and no snapshot/);
    assertFault(
      await verify({ archives: [one, two, one] }),
      1,
      /^archive 3 begins at entry 1, where entry \d+ has to come$/,
    );
    const three = newPath('three.zst');
    await exportLog({ log: venue.spec, out: three, from: 10 });
    assertFault(
      await verify({ archives: [one, three] }),
      8,
      /^entries 8 to 9 are missing between archive 1 and archive 2$/,
    );
  });

  it('is named when it is of another venue', async () => {
    const { venue, one } = await archives();
    const other = await archives(1);
    const paper = /^archive 2 does not continue archive 1 at entry 8: the chains of hashes are not the same$/;
    assertFault(await verify({ archives: [one, other.two] }), 8, paper);
    const log = /^the log does not continue the archives at entry 8: the chains of hashes are not the same$/;
    assertFault(await verify({ archives: [other.one], log: venue.spec }), 8, log);
    const { venue: deposits } = await tradedVenue('deposits');
    const stamped =
      /^the log, looked at from entry 8 on, is of another venue: it is stamped fundingMode=deposits$/;
    assertFault(await verify({ archives: [one], log: deposits.spec }), 8, stamped);
  });

  it('is named when the log goes back behind it', async () => {
    const { venue } = await tradedVenue();
    const [all, part] = [newPath('all.zst'), newPath('part.zst')];
    await exportLog({ log: venue.spec, out: all });
    await exportLog({ log: venue.spec, out: part, to: 7 });
    tamper(venue.path, 'DELETE FROM log WHERE seq > 5');
    tamper(venue.path, 'DELETE FROM batch WHERE first_seq > 5');
    tamper(venue.path, 'DELETE FROM snapshot');
    rmSync(`${venue.path}-head`);
    const message = /^entry 6 is in an archive and not in the log, which ends before it$/;
    assertFault(await verify({ archives: [part], log: venue.spec }), 6, message);
  });
});
