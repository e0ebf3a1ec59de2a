/** Contract wallets on a test's chain, and what their owners sign. */

import assert from 'node:assert/strict';
import { type Address, type Hex, parseAddress } from '@venue/protocol';
import type { Wallet } from '@venue/sdk';
import {
  type Abi,
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  hashMessage,
  numberToHex,
} from 'viem';
import { serializeErc6492Signature } from 'viem/utils';
import { compileContracts } from '../scripts/solidity.ts';
import type { LocalAccount } from './chain.ts';
import type { World } from './world.ts';

const SOURCE = 'contracts/test/ContractWallets.sol';
const NAMES = ['TwoOwnerWallet', 'SmartAccount', 'WalletFactory', 'HostileWallet'] as const;
type Name = (typeof NAMES)[number];

/** In the order of the contract's enumeration. */
export const HOSTILE_WAYS = [
  'BurnsGas',
  'Reverts',
  'SaysMore',
  'SaysLess',
  'SaysYes',
  'Floods',
  'IsOpened',
] as const;

/** A wallet that is there, or will be at the address that its factory gives it. */
export interface ContractWallet extends Wallet {
  readonly address: Address;
  /** Makes a transaction of the wallet's, sent by an owner. */
  execute(to: Address, data: Hex): Promise<Hex>;
}

export class ContractWallets {
  readonly #world: World;
  readonly #compiled: ReadonlyMap<Name, { readonly abi: Abi; readonly bytecode: Hex }>;
  readonly #factory: Address;

  private constructor(world: World, compiled: ContractWallets['compiled'], factory: Address) {
    this.#world = world;
    this.#compiled = compiled;
    this.#factory = factory;
  }

  /** Compiles the wallets, which takes some seconds, and deploys their factory. */
  static async on(world: World): Promise<ContractWallets> {
    const compiled = new Map(
      compileContracts(new Map(NAMES.map((name) => [name, SOURCE]))).map(
        ({ contract, abi, bytecode }) => [contract as Name, { abi, bytecode: bytecode as Hex }] as const,
      ),
    );
    const { abi, bytecode } = compiled.get('WalletFactory')!;
    const factory = await deployed(world, encodeDeployData({ abi, bytecode, args: [] }));
    return new ContractWallets(world, compiled, factory);
  }

  get compiled() {
    return this.#compiled;
  }

  async twoOwner(first: LocalAccount, second: LocalAccount): Promise<ContractWallet> {
    const address = await this.#deploy('TwoOwnerWallet', [first.address, second.address]);
    return this.#wallet(address, first, (at) => this.signTwo(at, first, second));
  }

  async account(owner: LocalAccount): Promise<ContractWallet> {
    const address = await this.#deploy('SmartAccount', [owner.address]);
    return this.#wallet(address, owner, () => owner.signMessage);
  }

  async hostile(way: (typeof HOSTILE_WAYS)[number]): Promise<Wallet> {
    const address = await this.#deploy('HostileWallet', [HOSTILE_WAYS.indexOf(way)]);
    return { address, signMessage: async () => '0x' };
  }

  /** A 4337 account that is not there yet; `deploy` puts it there. */
  undeployedAccount(owner: LocalAccount, salt: number) {
    return this.#undeployed('SmartAccount', 'createAccount', { salt, owners: [owner] });
  }

  /** A wallet of two owners that is not there yet. */
  undeployedTwoOwner(first: LocalAccount, second: LocalAccount, salt: number) {
    return this.#undeployed('TwoOwnerWallet', 'createTwoOwner', { salt, owners: [first, second] });
  }

  #undeployed(
    name: 'SmartAccount' | 'TwoOwnerWallet',
    functionName: string,
    { salt, owners }: { salt: number; owners: readonly [LocalAccount, ...LocalAccount[]] },
  ) {
    const args = owners.map(({ address }) => address);
    const { abi, bytecode } = this.#compiled.get(name)!;
    const saltWord = numberToHex(salt, { size: 32 });
    const initCode = encodeDeployData({ abi, bytecode, args });
    const from = this.#factory;
    const address = parseAddress(
      getContractAddress({ opcode: 'CREATE2', from, salt: saltWord, bytecode: initCode }),
    )!;
    const factory = this.#compiled.get('WalletFactory')!;
    const data = encodeFunctionData({ abi: factory.abi, functionName, args: [saltWord, ...args] });
    const signer =
      name === 'SmartAccount'
        ? () => owners[0].signMessage
        : (at: Address) => this.signTwo(at, owners[0], owners[1]!);
    const inner = this.#wallet(address, owners[0], signer);
    return {
      ...inner,
      signMessage: async ({ message }: { message: string }) =>
        serializeErc6492Signature({ address: from, data, signature: await inner.signMessage({ message }) }),
      /** The wallet as it signs once it is there. */
      inner,
      deploy: () => this.#send(owners[0], from, data),
    };
  }

  #wallet(
    address: Address,
    owner: LocalAccount,
    signerAt: (address: Address) => Wallet['signMessage'],
  ): ContractWallet {
    const { abi } = this.#compiled.get('SmartAccount')!;
    return {
      address,
      signMessage: signerAt(address),
      execute: (to, data) =>
        this.#send(owner, address, encodeFunctionData({ abi, functionName: 'execute', args: [to, data] })),
    };
  }

  /** Both owners sign the hash of the text, bound to the wallet as a Safe's messages are. */
  signTwo(address: Address, ...owners: readonly LocalAccount[]): Wallet['signMessage'] {
    return async ({ message }) => {
      const signatures = owners.map((owner) =>
        owner.signTypedData({
          domain: {
            name: 'TwoOwnerWallet',
            version: '1',
            chainId: this.#world.chain.chainId,
            verifyingContract: address,
          },
          types: { WalletMessage: [{ name: 'hash', type: 'bytes32' }] },
          primaryType: 'WalletMessage',
          message: { hash: hashMessage(message) },
        }),
      );
      return concatHex(await Promise.all(signatures));
    };
  }

  /** Replaces both owners of a wallet of two. */
  replaceOwners(wallet: Address, by: LocalAccount, [first, second]: readonly [LocalAccount, LocalAccount]) {
    const { abi } = this.#compiled.get('TwoOwnerWallet')!;
    const args = [first.address, second.address];
    return this.#send(by, wallet, encodeFunctionData({ abi, functionName: 'replace', args }));
  }

  #deploy(name: Name, args: readonly unknown[]): Promise<Address> {
    return deployed(this.#world, encodeDeployData({ ...this.#compiled.get(name)!, args }));
  }

  async #send(account: LocalAccount, to: Address, data: Hex): Promise<Hex> {
    const hash = await this.#world.chain.wallet(account).sendTransaction({ to, data });
    const { status } = await this.#world.mined(hash);
    assert.equal(status, 'success');
    return hash;
  }
}

async function deployed(world: World, data: Hex): Promise<Address> {
  const hash = await world.chain.wallet(world.operator).sendTransaction({ data });
  const { contractAddress } = await world.mined(hash);
  return parseAddress(contractAddress ?? '') ?? assert.fail('no contract');
}
