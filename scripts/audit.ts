/**
 * Checks the packages in the lock file for known vulnerabilities. Each one the registry reports must be fixed or
 * explained in scripts/audit-explained.json. Without an answer from the registry nothing is found, and nothing fails.
 *
 *   node_modules/.bin/node scripts/audit.ts
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One vulnerability that remains, and why it does no harm here. */
export interface Explained {
  /** The advisory's id, as at the end of its URL. */
  readonly advisory: string;
  readonly reason: string;
}

interface Advisory {
  readonly url: string;
  readonly title: string;
  readonly severity: string;
  readonly name: string;
}

/** The parts of `npm audit --json` that are used. */
export interface AuditReport {
  /** By package; if it comes through another package, that package's name. */
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (string | Advisory)[] }>>;
}

export interface Findings {
  readonly unexplained: readonly string[];
  /** Explanations of vulnerabilities that no longer exist. */
  readonly idle: readonly string[];
}

/** Compares a report with the explanations; null when it is not a report, as without the registry. */
export function weigh(report: AuditReport, explained: readonly Explained[]): Findings | null {
  if (report.vulnerabilities === undefined) return null;
  const advisories = Object.values(report.vulnerabilities).flatMap(({ via }) =>
    via.filter((cause): cause is Advisory => typeof cause !== 'string'),
  );
  const reasons = new Set(explained.map(({ advisory }) => advisory));
  const found = new Map(advisories.map((advisory) => [nameOf(advisory), advisory]));
  return {
    unexplained: [...found]
      .filter(([name]) => !reasons.has(name))
      .map(([name, { severity, title, name: of }]) => `${name} (${severity}) in ${of}: ${title}`),
    idle: [...reasons].filter((name) => !found.has(name)),
  };
}

function nameOf({ url }: Advisory): string {
  return url.split('/').at(-1)!;
}

const NPM_LIMIT_MS = 60_000;

function main(): void {
  const explained: Explained[] = JSON.parse(
    readFileSync(new URL('audit-explained.json', import.meta.url), 'utf8'),
  );
  const npm = spawnSync('npm', ['audit', '--json', '--fetch-retries=0'], {
    encoding: 'utf8',
    timeout: NPM_LIMIT_MS,
  });
  const findings = weigh(reportOf(npm.stdout), explained);
  if (findings === null) {
    console.log('audit: skipped, as the registry gave no answer');
    return;
  }
  for (const name of findings.idle) console.error(`audit: ${name} is explained and no longer found`);
  for (const finding of findings.unexplained) console.error(`audit: ${finding}`);
  if (findings.unexplained.length + findings.idle.length > 0) process.exitCode = 1;
  else console.log('audit: nothing that is not explained');
}

function reportOf(text: string | null): AuditReport {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return {};
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
