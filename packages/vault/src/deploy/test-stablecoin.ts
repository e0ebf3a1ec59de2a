/** Puts the test stablecoin on a local chain. It is worthless: anyone may mint any amount of it. */

import { type Address, createWalletClient, getAddress, type Hex, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { testStablecoinAbi } from '../contract/abi.ts';
import { testStablecoinArtifact } from '../contract/artifact.ts';
import { VaultDeployError } from '../contract/deploy-error.ts';

export interface TestStablecoinOptions {
  readonly rpcUrl: string;
  readonly deployerKey: Hex;
}

/** Deploys it and returns its address; six decimals, and `mint(account, amount)` open to all. */
export async function deployTestStablecoin({ rpcUrl, deployerKey }: TestStablecoinOptions): Promise<Address> {
  const account = privateKeyToAccount(deployerKey);
  const wallet = createWalletClient({ account, transport: http(rpcUrl), pollingInterval: 50 }).extend(
    publicActions,
  );
  const hash = await wallet.deployContract({
    abi: testStablecoinAbi,
    bytecode: testStablecoinArtifact.bytecode,
    chain: null,
  });
  const { contractAddress } = await wallet.waitForTransactionReceipt({ hash });
  if (contractAddress == null) throw new VaultDeployError(`${hash} made no token: look it up on the chain`);
  return getAddress(contractAddress);
}
