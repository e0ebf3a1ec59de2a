/** Checks alerts and dashboards with Prometheus' own tool, and the runbook's section on each alert. */

// @seconds 29

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { isInstalled, skipBecause } from '../faults/machine.ts';

interface Alert {
  readonly alert: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

const FOLDER = fileURLToPath(new URL('../../deploy/prometheus', import.meta.url));
const GRAFANA = fileURLToPath(new URL('../../deploy/grafana', import.meta.url));
const alerts = (parse(readFileSync(`${FOLDER}/alerts.yml`, 'utf8')).groups as { rules: Alert[] }[]).flatMap(
  ({ rules }) => rules,
);
const needsPromtool = skipBecause(
  isInstalled('promtool') ? undefined : 'needs the Debian package prometheus',
);

describe('alerts', () => {
  test('each states its urgency and names its section of the runbook', () => {
    const page = readFileSync(new URL('../../docs/how-to/operate.md', import.meta.url), 'utf8');
    const sections = new Set([...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name!));
    for (const { alert, labels, annotations } of alerts) {
      assert.ok(['page', 'ticket'].includes(labels.severity), alert);
      assert.ok(annotations.runbook_url.endsWith(`/docs/how-to/operate.md#${alert.toLowerCase()}`), alert);
      assert.ok(sections.has(alert), `docs/how-to/operate.md has no section on ${alert}`);
    }
    for (const section of sections)
      assert.ok(!section.startsWith('Venue') || alerts.some(({ alert }) => alert === section), section);
  });

  test('each fires on its own figures and stays silent on others', { skip: needsPromtool }, () => {
    const tests = readFileSync(`${FOLDER}/alerts.test.yml`, 'utf8');
    for (const { alert } of alerts)
      assert.equal(tests.split(`alertname="${alert}"`).length - 1, 2, `${alert} has no pair of tests`);
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yml'], {
      cwd: FOLDER,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
  });

  test('the scrape configuration is valid', { skip: needsPromtool }, () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', 'prometheus.yml'], {
      cwd: FOLDER,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
  });
});

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

describe('dashboards', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-dashboards-'));
  after(() => rmSync(folder, { recursive: true }));
  const boards = globSync('*.json', { cwd: GRAFANA }).map((file) => ({
    file,
    ...(JSON.parse(readFileSync(join(GRAFANA, file), 'utf8')) as {
      readonly uid: string;
      readonly panels: readonly Panel[];
      readonly links: readonly { readonly tags: readonly string[] }[];
      readonly tags: readonly string[];
    }),
  }));

  test('link to each other, and say of every panel what it shows, none over another', () => {
    assert.equal(boards.length, 4);
    assert.equal(new Set(boards.map(({ uid }) => uid)).size, boards.length);
    for (const { file, panels, links, tags } of boards) {
      assert.deepEqual([links[0]?.tags, tags], [['venue'], ['venue']], file);
      assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length, file);
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
      );
      assert.equal(new Set(cells).size, cells.length, `${file}: one panel lies over another`);
      for (const { type, title, description = '' } of panels)
        if (type !== 'row') assert.ok(description.length > 10, `${file}: ${title} has no description`);
    }
  });

  test('ask Prometheus for what it can parse', { skip: needsPromtool }, () => {
    const rules = boards.flatMap(({ file, panels }) =>
      panels.flatMap(({ id, targets = [] }) =>
        targets.map(({ expr }, i) => ({
          record: `${file.replace('.json', '')}_${id}_${i}`,
          expr: expr.replaceAll('$__rate_interval', '1m'),
        })),
      ),
    );
    const path = join(folder, 'panels.yml');
    writeFileSync(path, stringify({ groups: [{ name: 'panels', rules }] }));
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', path], { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, new RegExp(`${rules.length} rules found`));
  });
});
