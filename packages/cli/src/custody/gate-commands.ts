/** `venue vault gate status`, `veto`, `pause` and `execute` (CUS-15). */

import { parseAddress } from '@venue/protocol';
import {
  announcedText,
  type BatchView,
  executeCall,
  type GateStatus,
  gateStatus,
  loadGateSignerConfig,
  type OpenedGate,
  openGate,
  openKey,
  parseHash,
  pauseCall,
  proposerIdOf,
  sendToGate,
  usdText,
  vetoCall,
} from '@venue/vault';
import { CommandError, usageError } from '../base/command-error.ts';
import { environment } from '../base/config.ts';
import { ask, canAsk } from '../terminal/confirm.ts';
import { type OutputOptions, say, show } from '../terminal/output.ts';
import { type Column, table } from '../terminal/table.ts';
import { utcMinute } from '../terminal/times.ts';

export interface GateCommandOptions extends OutputOptions {
  readonly rpc: string;
  readonly file: string;
  readonly yes?: true;
}

const COLUMNS: readonly Column<BatchView>[] = [
  { title: 'batch', cell: ({ id }) => id, rank: 0, shortest: 13 },
  { title: 'amount USD', cell: ({ total }) => usdText(total), rank: 0 },
  { title: 'payouts', cell: ({ payouts }) => payouts.length, places: [0, 0], rank: 3 },
  { title: 'proposer', cell: ({ proposer }) => proposer, rank: 4, shortest: 13 },
  { title: 'proposed', cell: ({ proposedAt }) => timeText(proposedAt), rank: 5 },
  { title: 'votes', cell: ({ votes }) => votes, places: [0, 0], rank: 1 },
  { title: 'state', cell: ({ state }) => state, rank: 0 },
  { title: 'due', cell: ({ dueAt }) => (dueAt === null ? '-' : timeText(dueAt)), rank: 2 },
];

/** Shows what a gate lets through, what waits, and who may object. */
export async function runStatusCommand(options: GateCommandOptions): Promise<void> {
  const { status } = await look(options);
  show(options, plainOf(status), (page) => [
    ...statusLines(status),
    ...(status.batches.length === 0 ? ['no batch is proposed'] : table(COLUMNS, status.batches, page)),
  ]);
}

/** Votes against a batch, a proposer, announced guardians or an operation of the failsafe. */
export async function runVetoCommand(text: string, options: GateCommandOptions): Promise<void> {
  const proposer = parseAddress(text);
  const id = proposer === undefined ? parseHash(text) : proposerIdOf(proposer);
  if (id === undefined)
    throw usageError(`a veto takes an id with 64 hex digits, or the address of a proposer, not "${text}"`);
  const { gate, status } = await look(options);
  await allow(options, 'Vote against it, which cannot be taken back', [
    ...objectLines(id, proposer, status),
    `${await gate.votesAgainst(id)} of ${status.guardians.length} guardians have voted against it; ` +
      `it takes ${votesNeeded(id, status)}`,
  ]);
  const txHash = await signed(gate, vetoCall(id), options);
  const [votes, isVetoed] = [await gate.votesAgainst(id), await gate.isVetoed(id)];
  show(options, { id, txHash, votes, isVetoed }, () => [
    isVetoed ? `vetoed with ${votes} votes` : `${votes} votes, and no veto yet`,
  ]);
}

/** Stops all commitments for as long as the gate lets a guardian. */
export async function runPauseCommand(options: GateCommandOptions): Promise<void> {
  const { gate, status } = await look(options);
  const { longDelay } = status.bounds;
  await allow(options, 'Stop all commitments', [
    `nothing is committed for ${longDelay} s, and nobody can end that; you can again after ${10 * longDelay} s`,
  ]);
  const txHash = await signed(gate, pauseCall(), options);
  const until = await gate.pausedUntil();
  show(options, { txHash, pausedUntil: until }, () => [`paused until ${timeText(until)}`]);
}

/** Executes a batch that is due. */
export async function runExecuteCommand(text: string, options: GateCommandOptions): Promise<void> {
  const { gate, status } = await look(options);
  const batch = status.batches.find(({ id }) => id === text.toLowerCase());
  if (batch === undefined) throw new CommandError(`no batch ${text} was proposed within the gate's expiry`);
  if (batch.state !== 'due') throw new CommandError(`the batch is not due: ${stateText(batch)}`);
  await allow(options, 'Commit it', batchLines(batch));
  const txHash = await signed(gate, executeCall(batch.batchId, batch.payouts), options);
  show(options, { id: batch.id, txHash }, () => [`committed: ${usdText(batch.total)} in ${txHash}`]);
}

async function look({ rpc, file }: GateCommandOptions): Promise<OpenedGate & { status: GateStatus }> {
  const opened = await openGate(
    file,
    rpc.split(',').map((url) => url.trim()),
  );
  return { ...opened, status: await gateStatus(opened.gate, opened.addresses.blockNumber) };
}

async function signed(
  gate: OpenedGate['gate'],
  data: `0x${string}`,
  { json }: GateCommandOptions,
): Promise<string> {
  const { key, feeMaxWei } = loadGateSignerConfig(environment());
  const onSent = (txHash: string) => (json ? undefined : say(`sent ${txHash}`));
  return (await sendToGate(gate, data, { key: await openKey(key), feeMaxWei, onSent })).txHash;
}

/** Returns if the person said yes, here or by `--yes`. */
async function allow({ yes }: GateCommandOptions, question: string, lines: readonly string[]): Promise<void> {
  if (yes) return;
  if (!canAsk())
    throw new CommandError('there is no terminal to ask on: nothing was sent; add --yes if you mean it');
  for (const line of lines) say(line);
  if (!(await ask(`${question}?`))) throw new CommandError('not confirmed: nothing was sent');
}

function objectLines(id: string, proposer: string | undefined, status: GateStatus): string[] {
  if (proposer !== undefined) return [`proposer ${proposer}, and everything that it has proposed`];
  const announced = status.announced.find((one) => one.id === id);
  if (announced !== undefined) return [announcedText(announced, timeText)];
  const batch = status.batches.find((one) => one.id === id);
  return batch === undefined
    ? [`${id}, which is neither a recent batch nor announced: something still to come`]
    : batchLines(batch);
}

function votesNeeded(id: string, { announced, guardians, vetoes }: GateStatus): number {
  const isOfGuardians = announced.some((one) => one.kind === 'guardians' && one.id === id);
  return isOfGuardians ? guardians.length - vetoes + 1 : vetoes;
}

function batchLines(batch: BatchView): string[] {
  const { id, proposer, proposedAt, total, payouts } = batch;
  return [
    `batch ${id} of ${proposer}, proposed ${timeText(proposedAt)}: ${stateText(batch)}`,
    ...payouts.map((one) => `  payout ${one.id}: ${usdText(one.amount)} to ${one.account}`),
    `  in all ${usdText(total)}`,
  ];
}

function stateText({ state, dueAt }: BatchView): string {
  if (state !== 'waits') return state;
  return dueAt === null ? 'waits for the cap of the epoch' : `waits until ${timeText(dueAt)}`;
}

function statusLines(status: GateStatus): string[] {
  const { bounds, usage, time, pausedUntil } = status;
  const of = (used: bigint, most: bigint) => `${usdText(used)} of ${usdText(most)} used in ${bounds.epoch} s`;
  return [
    `gate       ${status.gate}, block ${status.blockNumber}, ${timeText(time)}`,
    `vault      ${status.vault}, ${usdText(usage.uncommitted)} not committed`,
    `at once    ${of(usage.free, bounds.freeMax)}`,
    `${bounds.shortDelay} s`.padEnd(11) + of(usage.short, usage.uncommitted / 10n),
    `in all     ${of(usage.all, bounds.capMax)}`,
    `proposers  ${status.proposers.join(', ')}`,
    `guardians  ${status.vetoes} of ${status.guardians.join(', ')}`,
    `cold       ${status.cold}`,
    `failsafe   ${status.failsafe}`,
    ...(pausedUntil >= time ? [`PAUSED     until ${timeText(pausedUntil)}`] : []),
    ...status.announced.map((one) => `ANNOUNCED  ${announcedText(one, timeText)}`),
  ];
}

function timeText(seconds: number): string {
  return utcMinute(seconds * 1_000);
}

/** The same in values that JSON has: amounts as decimal text. */
function plainOf(status: GateStatus): unknown {
  return JSON.parse(
    JSON.stringify(status, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  );
}
