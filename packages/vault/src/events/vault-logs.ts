/** The vault's own events: deposits, commitments and sweeps. */

import { type Address, type Hex, parseAddress } from '@venue/protocol';
import { decodeEventLog, encodeEventTopics, numberToHex } from 'viem';
import type { Chain, LogFilter } from '../chain/chain.ts';
import { ChainError } from '../chain/errors.ts';
import { type BlockRange, LogReader, type Reading } from '../chain/log-reader.ts';
import type { ChainLog, LogPlace } from '../chain/parse.ts';
import { venueVaultAbi } from '../contract/abi.ts';

export interface VaultDeposit extends LogPlace {
  /** Whose money it is. */
  readonly address: Address;
  /** In micros, as the vault states it: it may be more than the exchange can count. */
  readonly amount: bigint;
}

export interface Commitment extends LogPlace {
  /** The payout's number in the vault; any number that the operator's key chose. */
  readonly payoutId: bigint;
  readonly account: Address;
  /** In micros. */
  readonly amount: bigint;
}

/** A deposit into the vault or a sweep out of it; the amount is in micros. */
export interface Flow {
  readonly kind: 'deposit' | 'sweep';
  readonly amount: bigint;
}

/**
 * Reads the events of one vault over many blocks.
 * Every method throws `ChainError` for an answer that is not such an event of this vault.
 */
export class VaultLogs {
  readonly #vault: Address;
  readonly #reader: LogReader;

  constructor({ chain, address }: { readonly chain: Chain; readonly address: Address }, chunkBlocks: number) {
    this.#vault = address;
    this.#reader = new LogReader(chain, chunkBlocks);
  }

  /** In the order of the chain, like all others. */
  async deposits(range: BlockRange, reading: Reading = 'listed'): Promise<VaultDeposit[]> {
    const logs = await this.#reader.read(depositFilter(this.#vault), range, reading);
    return logs.map((log) => depositOf(log, this.#vault));
  }

  async commitments(range: BlockRange, reading: Reading = 'listed'): Promise<Commitment[]> {
    const logs = await this.#reader.read(commitmentFilter(this.#vault), range, reading);
    return logs.map((log) => commitmentOf(log, this.#vault));
  }

  /** Those of the payouts with these numbers. */
  async commitmentsOf(payoutIds: readonly number[], range: BlockRange): Promise<Commitment[]> {
    const logs = await this.#reader.read(commitmentFilter(this.#vault, payoutIds), range);
    return logs.map((log) => commitmentOf(log, this.#vault));
  }

  async flows(range: BlockRange, reading: Reading = 'listed'): Promise<Flow[]> {
    const topics = [[topicOf('Deposited'), topicOf('EmergencySwept')]];
    const logs = await this.#reader.read({ address: this.#vault, topics }, range, reading);
    return logs.map((log) => flowOf(log, this.#vault));
  }
}

export function depositFilter(address: Address): LogFilter {
  return { address, topics: [topicOf('Deposited')] };
}

function commitmentFilter(address: Address, payoutIds?: readonly number[]): LogFilter {
  const ids = payoutIds?.map((id) => numberToHex(id, { size: 32 }));
  return { address, topics: [topicOf('PayoutCommitted'), ...(ids === undefined ? [] : [ids])] };
}

/** The deposit that a log shows; throws `ChainError` for a log that is not a deposit of this vault. */
export function depositOf(log: ChainLog, vault: Address): VaultDeposit {
  const { account, amount } = decodeEvent(log, vault, 'Deposited');
  return { address: parseAddress(account)!, amount, ...placeOf(log) };
}

function commitmentOf(log: ChainLog, vault: Address): Commitment {
  const { payoutId, account, amount } = decodeEvent(log, vault, 'PayoutCommitted');
  return { payoutId, account: parseAddress(account)!, amount, ...placeOf(log) };
}

function flowOf(log: ChainLog, vault: Address): Flow {
  if (log.topics[0] === topicOf('Deposited'))
    return { kind: 'deposit', amount: decodeEvent(log, vault, 'Deposited').amount };
  return { kind: 'sweep', amount: decodeEvent(log, vault, 'EmergencySwept').amount };
}

function placeOf({ txHash, logIndex, blockNumber, blockHash }: ChainLog): LogPlace {
  return { txHash, logIndex, blockNumber, blockHash };
}

type VaultEvent = 'Deposited' | 'PayoutCommitted' | 'EmergencySwept';

function topicOf(eventName: VaultEvent): Hex {
  return encodeEventTopics({ abi: venueVaultAbi, eventName })[0];
}

function decodeEvent<N extends VaultEvent>(log: ChainLog, vault: Address, eventName: N) {
  if (log.address !== vault) throw new ChainError(`a log of ${log.address} in place of one of the vault`);
  const topics = [...log.topics] as [Hex, ...Hex[]];
  try {
    return decodeEventLog({ abi: venueVaultAbi, eventName, topics, data: log.data, strict: true }).args;
  } catch {
    throw new ChainError(`what the RPC answered is no ${eventName} of this vault`);
  }
}
