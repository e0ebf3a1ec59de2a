/** Formats a verification for people. */

import type { CustodyTotals, VerifiedEntries, VerifyReport } from '@venue/audit';

/** Lines; the last one is the verdict. */
export function verifyText(report: VerifyReport): string[] {
  const { facts } = report;
  return [
    ...(report.log === null ? [] : [row('log', report.log)]),
    ...(report.archives === 0 ? [] : [row('archives', String(report.archives))]),
    ...report.snapshots.map(({ seq, found }) => row('snapshot', `entry ${seq}: ${found}`)),
    row('invariants', `looked at ${report.invariantChecks} times`),
    '',
    row('stamp', words(facts.stamp)),
    ...(facts.trusted === null ? [] : [row('on trust', trustText(facts.trusted.seq, facts.trusted.digest))]),
    ...(facts.entries === null ? [] : entriesText(facts.entries)),
    row('engine', `version ${facts.engineVersion}`),
    row('report digest', report.reportDigest),
    verdict(report),
  ];
}

/** The last line of the report. */
export function verdict({ facts: { fault, trusted, entries } }: VerifyReport): string {
  if (fault !== null) return `NOT verified: ${fault.message}`;
  const { fromSeq, toSeq } = entries!;
  const range =
    toSeq < fromSeq ? 'the snapshot alone, as no entry comes after it' : `entries ${fromSeq} to ${toSeq}`;
  if (trusted === null) return `verified: ${range}`;
  return `verified: ${range}; what came before was taken on trust from the snapshot of entry ${trusted.seq}`;
}

function entriesText(entries: VerifiedEntries): string[] {
  const { fromSeq, toSeq, fromTs, toTs, kinds, signatures, unsigned } = entries;
  const times = toSeq < fromSeq ? '' : `, ${time(fromTs)} to ${time(toTs)}`;
  return [
    row('entries', `${fromSeq} to ${toSeq}${times}`),
    row('of them', words(kinds, ' ')),
    row('signatures', `${sum(signatures)} checked${listed(signatures)}`),
    row('unsigned', `${sum(unsigned)} writes${listed(unsigned)}`),
    ...(entries.voidRevocations === 0
      ? []
      : [row('void', `${entries.voidRevocations} revocations of sessions that were forgotten, all refused`)]),
    ...(entries.attested === undefined
      ? []
      : [
          row(
            'attested',
            `${entries.attested} approvals or revocations by contract wallets, on the attestor's word`,
          ),
        ]),
    ...(entries.skipped.length === 0 ? [] : [row('skipped', entries.skipped.join(', '))]),
    row('chain head', `${toSeq}:${entries.chainHead}`),
    ...(entries.custody === null ? [] : custodyText(entries.custody)),
    row('state digest', entries.stateDigest),
  ];
}

function custodyText(custody: CustodyTotals): string[] {
  const { deposits, depositedMicros, withdrawals, pendingMicros, committedMicros, accountsMicros } = custody;
  const pending = dollars(pendingMicros);
  return [
    row('deposits', `${deposits}, ${dollars(depositedMicros)} USD`),
    row('withdrawals', `${withdrawals}, ${pending} USD pending, ${dollars(committedMicros)} USD committed`),
    row('accounts', `${dollars(accountsMicros)} USD`),
  ];
}

function trustText(seq: number, digest: string): string {
  return `entries 1 to ${seq}, by the snapshot with digest ${digest}`;
}

const LABEL_WIDTH = 15;

function row(label: string, text: string): string {
  return `${label.padEnd(LABEL_WIDTH)}${text}`;
}

function words(values: Readonly<Record<string, string | number>>, sign = '='): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}${sign}${value}`)
    .join(', ');
}

function listed(counts: Readonly<Record<string, number>>): string {
  return sum(counts) === 0 ? '' : `: ${words(counts, ' ')}`;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}

const DECIMALS = 6;

/** Formats integer micros of any size. */
function dollars(micros: string): string {
  const negative = micros.startsWith('-');
  const digits = micros.replace('-', '').padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0{1,4}$/, '');
  return `${negative ? '-' : ''}${digits.slice(0, -DECIMALS)}.${fraction}`;
}
