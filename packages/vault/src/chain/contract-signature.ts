/** Asks the chain whether a contract accepts a signature (ERC-1271, ERC-6492). */

import type { Address, Hex } from '@venue/protocol';
import {
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  hashMessage,
} from 'viem';
import { isErc6492Signature, parseErc6492Signature } from 'viem/utils';
import type { Attempt, Chain } from './chain.ts';

/** A text that a contract is said to have signed. */
export interface ContractSigned {
  readonly address: Address;
  readonly text: string;
  readonly signature: Hex;
}

/** The chain's verdict; a `no-contract` has no code and no signature that says how it would get there. */
export type Verdict = 'valid' | 'no-contract' | 'invalid' | 'failed';

/** Enough for a signature check that first deploys its wallet; more is for nobody to spend on our servers. */
const GAS_MAX = 5_000_000;
const ERC1271_ABI = [
  {
    type: 'function',
    name: 'isValidSignature',
    stateMutability: 'view',
    inputs: [
      { name: 'hash', type: 'bytes32' },
      { name: 'signature', type: 'bytes' },
    ],
    outputs: [{ name: 'magicValue', type: 'bytes4' }],
  },
] as const;
/** The one answer that accepts, as a whole word: nothing may follow it. */
const ACCEPTS = `0x1626ba7e${'0'.repeat(56)}`;
const VALIDATOR_ACCEPTS = '0x01';

/**
 * The common answer of all servers about a signature at a block (CUS-19). A contract that is there is asked itself, and a
 * wrapped signature is unwrapped for it: the wrapping may contain any call, which must not run before the question. One
 * that is not there yet is deployed and asked within one call, by the validator of ERC-6492.
 *
 * Each question is put without a gas price and with one, because clients differ in what a call without a price sees as
 * the base fee: a contract that answers by it would be valid to one node and invalid to the next. `valid` is what both
 * say.
 *
 * Throws `ChainError` if the servers do not answer, or not alike.
 */
export async function judgeSignature(chain: Chain, signed: ContractSigned, at: number): Promise<Verdict> {
  const isDeployed = (await chain.code(signed.address, at)) !== '0x';
  const question = isDeployed ? questionOf(signed) : validatorQuestionOf(signed);
  if (question === null) return isDeployed ? 'invalid' : 'no-contract';
  const accepts = isDeployed ? ACCEPTS : VALIDATOR_ACCEPTS;
  const { baseFeeWei } = await chain.block(at);
  for (const gasPriceWei of baseFeeWei === null ? [null] : [null, baseFeeWei]) {
    const verdict = verdictOf(await chain.attempt({ ...question, gas: GAS_MAX, gasPriceWei }, at), accepts);
    if (verdict !== 'valid') return verdict;
  }
  return 'valid';
}

type Question = Pick<Attempt, 'to' | 'data'>;

/** Null for a signature whose wrapping cannot be read. */
function questionOf({ address, text, signature: wrapped }: ContractSigned): Question | null {
  const signature = unwrapped(wrapped);
  if (signature === null) return null;
  const args = [hashMessage(text), signature] as const;
  return {
    to: address,
    data: encodeFunctionData({ abi: ERC1271_ABI, functionName: 'isValidSignature', args }),
  };
}

/**
 * The validator would take the signature of a key as well, which is no contract's: only a wrapped one gets to it, and
 * null stands for any other.
 */
function validatorQuestionOf({ address, text, signature }: ContractSigned): Question | null {
  if (!isErc6492Signature(signature)) return null;
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [address, hashMessage(text), signature],
  });
  return { data };
}

function verdictOf(answer: Hex | null, accepts: string): Verdict {
  if (answer === null) return 'failed';
  return answer.toLowerCase() === accepts ? 'valid' : 'invalid';
}

/** Null for a wrapping that cannot be read. */
function unwrapped(signature: Hex): Hex | null {
  try {
    return parseErc6492Signature(signature).signature;
  } catch {
    return null;
  }
}
