/** Checks the alerts with Prometheus' own tool, and the runbook's section on each. */

// @seconds 29

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { isInstalled, skipBecause } from '../faults/machine.ts';

interface Alert {
  readonly alert: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

const FOLDER = fileURLToPath(new URL('../../deploy/prometheus', import.meta.url));
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
