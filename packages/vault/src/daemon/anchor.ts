/** The block by which a state file knows its chain again (CUS-21). */

import type { Chain } from '../chain/chain.ts';
import type { SeenBlock } from '../chain/schemas.ts';
import type { StateFile } from './state-file.ts';

export interface Remembered {
  readonly file: StateFile;
  /** The first block of the vault as the file has it; null in a new file. */
  readonly anchor: SeenBlock | null;
  /** Other blocks of the file; at least one of them must be on the chain. */
  readonly recent: readonly SeenBlock[];
}

/**
 * The anchor to keep: the file's, or the block from which the vault is read. Throws `ConfigError` for a file of another
 * chain, which may well have the same number and a vault at the same address.
 */
export async function anchorOf(
  chain: Chain,
  { file, anchor, recent }: Remembered,
  fromBlock: number,
): Promise<SeenBlock> {
  const found = await chain.findBlock(anchor?.number ?? fromBlock);
  if (anchor !== null && found?.hash !== anchor.hash) throw elsewhere(file, chain, anchor);
  if (anchor === null && recent.length > 0 && !(await isAnyOnChain(chain, recent)))
    throw elsewhere(file, chain, recent.at(-1)!);
  return anchor ?? { number: fromBlock, hash: (found ?? (await chain.block(fromBlock))).hash };
}

function elsewhere(file: StateFile, { hosts }: Chain, { number, hash }: SeenBlock): Error {
  return file.unusable(
    `it is of another chain of the same number: ${hosts} does not have its block ${number} with the hash ${hash}`,
    'name another file, or move it away to start without it',
  );
}

async function isAnyOnChain(chain: Chain, recent: readonly SeenBlock[]): Promise<boolean> {
  for (const { number, hash } of recent.toReversed())
    if ((await chain.findBlock(number))?.hash === hash) return true;
  return false;
}
