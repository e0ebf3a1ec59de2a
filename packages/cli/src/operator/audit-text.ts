/** Formats the audit of what operators do by hand for people. */

import type { AuditEntry } from '@venue/protocol';

/** A few lines for one attempt. */
export function auditEntryText(entry: AuditEntry): string {
  return entry.action === undefined ? settlementText(entry) : actionText(entry);
}

function actionText({ n, ts, by, action, terms, accepted, reason }: AuditEntry): string {
  return [
    `#${n} ${new Date(ts).toISOString()}${byText(by)} ${nameText(action ?? '')} ${printable(terms ?? '')}`,
    `  ${accepted ? 'accepted' : `refused: ${reason}`}`,
    '',
  ].join('\n');
}

function settlementText(entry: AuditEntry): string {
  const { n, ts, by, price, anchor, deviationBps, boundBps, gates, accepted, reason } = entry;
  return [
    `#${n} ${new Date(ts).toISOString()}${byText(by)} ${targetText(entry)} at ${price ?? 'no price'}`,
    `  anchor ${anchor ?? 'none'}, deviation ${deviationBps === null ? 'unknown' : `${deviationBps} bps`}, bound ${boundBps} bps`,
    ...stepText(entry),
    `  ${gates.map(({ gate, passed }) => `${gate}: ${GATE_WORDS.get(passed)}`).join(', ')}`,
    `  ${accepted ? 'accepted' : `refused: ${reason}`}`,
    '',
  ].join('\n');
}

/** Who did it; nothing where nobody was named (OPS-2). */
function byText(by: string | undefined): string {
  return by === undefined ? '' : ` by ${nameText(by)}:`;
}

function stepText({ step, by: name }: AuditEntry): string[] {
  if (step === undefined) return [];
  const verb = step.act === 'propose' ? 'proposed' : 'confirmed';
  const secret = step.secret === null ? 'not exactly one secret' : `secret ${step.secret}`;
  const by = name === undefined ? secret : 'a name';
  return [`  ${verb} with ${by}${step.proposal === null ? '' : `, proposal ${step.proposal}`}`];
}

const GATE_WORDS = new Map([
  [true, 'passed'],
  [false, 'SHUT'],
  [null, 'not checked'],
]);

/** An expiry, as unix seconds and as the time they stand for. */
export function expiryText(symbol: string, expiryTs: number): string {
  const time = new Date(expiryTs * 1_000);
  const shown = Number.isNaN(time.getTime()) ? '' : ` (${time.toISOString()})`;
  return `${nameText(symbol)} ${expiryTs}${shown}`;
}

function targetText({ seriesId, symbol, expiryTs }: AuditEntry): string {
  if (seriesId !== null) return nameText(seriesId);
  return symbol === null || expiryTs === null ? 'no target' : expiryText(symbol, expiryTs);
}

const PLAIN = /^[A-Za-z0-9._-]+$/;
const UNPRINTABLE = /[^\x20-\x7e]/g;

/** Strangers choose these names, so none may control the terminal. */
function nameText(name: string): string {
  return PLAIN.test(name) ? name : printable(JSON.stringify(name));
}

function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
