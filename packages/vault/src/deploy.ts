/** Deploys a vault: first the plan, which costs nothing, then the transaction, its file and its verification. */

import {
  type Address,
  createWalletClient,
  encodeDeployData,
  erc20Abi,
  formatEther,
  formatGwei,
  getAddress,
  getContractAddress,
  type Hex,
  http,
  isAddress,
  isAddressEqual,
  keccak256,
  type PrivateKeyAccount,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { venueVaultAbi } from './abi.ts';
import { refuseExisting, reserveAddressesFile, type VaultAddresses } from './addresses.ts';
import { vaultArtifact } from './artifact.ts';
import { type DeployClient, openDeployClient } from './deploy-client.ts';
import { VaultDeployError } from './deploy-error.ts';
import { verifyVault } from './verify.ts';

const DECIMALS = 6;
/** Room over the estimate, because the transaction goes into a later block than the estimated one. */
const GAS_PERCENT = 120n;
const RECEIPT_MS_MAX = 300_000;

export interface DeployOptions {
  readonly rpcUrl: string;
  /** If given, every other chain is refused. */
  readonly chainId?: number;
  readonly token: string;
  readonly operator: string;
  readonly failsafe: string;
  /** Private key that pays, `0x` and 64 hex digits; it gets no rights over the vault and is never shown. */
  readonly deployerKey: string;
  /** The file for the addresses; it must not exist yet. */
  readonly out: string;
  /** Shows the plan and sends nothing. */
  readonly dryRun: boolean;
  readonly log: (line: string) => void;
}

/** The planned transaction. Gas in units, the rest of the cost in wei. */
export interface DeployPlan {
  readonly chainId: number;
  readonly deployer: Address;
  readonly nonce: number;
  /** The vault's address, if the deployer sends nothing else before. */
  readonly vault: Address;
  readonly token: Address;
  readonly operator: Address;
  readonly failsafe: Address;
  readonly gas: bigint;
  readonly maxFeePerGasWei: bigint;
  readonly costWeiMax: bigint;
  readonly balanceWei: bigint;
}

export interface DeployResult {
  readonly plan: DeployPlan;
  /** Absent after a dry run. */
  readonly addresses?: VaultAddresses;
}

/**
 * Checks everything that the constructor would refuse, shows the plan and, unless `dryRun`, deploys the vault, waits
 * for it, writes `out` and verifies the result. Throws `VaultDeployError` with one line that says what to do.
 *
 *   await deployVault({ rpcUrl, token, operator, failsafe, deployerKey, out: 'vault.json', dryRun: true, log });
 */
export async function deployVault(options: DeployOptions): Promise<DeployResult> {
  const account = accountOf(options.deployerKey);
  const roles = rolesOf(options);
  refuseExisting(options.out);
  const client = await openDeployClient(options.rpcUrl, options.chainId);
  await refuseOtherTokens(client, roles.token);
  const data = encodeDeployData({
    abi: venueVaultAbi,
    bytecode: vaultArtifact.bytecode,
    args: [roles.token, roles.operator, roles.failsafe],
  });
  const plan = await planOf(client, account, roles, data);
  for (const line of describePlan(plan, client.host)) options.log(line);
  if (options.dryRun) {
    options.log('dry run: nothing was sent');
    return { plan };
  }
  if (plan.balanceWei < plan.costWeiMax)
    throw new VaultDeployError(
      `${plan.deployer} has ${formatEther(plan.balanceWei)} ether and may need ${formatEther(plan.costWeiMax)}: send it more`,
    );
  return { plan, addresses: await carryOut(options, client, account, plan, data) };
}

function accountOf(key: string): PrivateKeyAccount {
  try {
    if (/^0x[0-9a-fA-F]{64}$/.test(key)) return privateKeyToAccount(key as Hex);
  } catch {
    // Zero, or at least the order of the curve; the reason would hold the key.
  }
  throw new VaultDeployError('VENUE_DEPLOYER_KEY must be a private key: 0x and 64 hex digits');
}

type Roles = Pick<DeployPlan, 'token' | 'operator' | 'failsafe'>;

function rolesOf(options: DeployOptions): Roles {
  const address = (role: keyof Roles): Address => {
    const text = options[role];
    if (!isAddress(text))
      throw new VaultDeployError(`${role} ${text} is no address, or its checksum is wrong`);
    if (isAddressEqual(text, zeroAddress))
      throw new VaultDeployError(`${role} is the zero address: name a real one`);
    return getAddress(text);
  };
  const roles = { token: address('token'), operator: address('operator'), failsafe: address('failsafe') };
  const distinct = new Set([roles.token, roles.operator, roles.failsafe]);
  if (distinct.size < 3)
    throw new VaultDeployError('token, operator and failsafe must be three different addresses');
  return roles;
}

async function refuseOtherTokens({ chain, host, asked }: DeployClient, token: Address): Promise<void> {
  const code = await asked('the token could not be read', chain.getCode({ address: token }));
  if (code === undefined || code === '0x')
    throw new VaultDeployError(
      `there is no contract at the token ${token} on ${host}: check the address and the chain`,
    );
  const call = { address: token, abi: erc20Abi, functionName: 'decimals' } as const;
  const decimals = await asked(`${token} has no decimals(): name a stablecoin`, chain.readContract(call));
  if (decimals !== DECIMALS)
    throw new VaultDeployError(`the token ${token} has ${decimals} decimals: name one with ${DECIMALS}`);
}

async function planOf(
  { chain, chainId, asked }: DeployClient,
  { address: deployer }: PrivateKeyAccount,
  roles: Roles,
  data: Hex,
): Promise<DeployPlan> {
  const nonce = await asked(
    'the nonce could not be read',
    chain.getTransactionCount({ address: deployer, blockTag: 'pending' }),
  );
  const estimate = await asked(
    'the chain refuses the deployment',
    chain.estimateGas({ account: deployer, data }),
  );
  const { maxFeePerGas } = await asked('the fees could not be read', chain.estimateFeesPerGas());
  const balanceWei = await asked('the balance could not be read', chain.getBalance({ address: deployer }));
  const gas = (estimate * GAS_PERCENT) / 100n;
  return {
    chainId,
    deployer,
    nonce,
    vault: getContractAddress({ from: deployer, nonce: BigInt(nonce) }),
    ...roles,
    gas,
    maxFeePerGasWei: maxFeePerGas,
    costWeiMax: gas * maxFeePerGas,
    balanceWei,
  };
}

function describePlan(plan: DeployPlan, host: string): string[] {
  return [
    `chain      ${plan.chainId} at ${host}`,
    `deployer   ${plan.deployer}, nonce ${plan.nonce}, ${formatEther(plan.balanceWei)} ether`,
    `token      ${plan.token}`,
    `operator   ${plan.operator}`,
    `failsafe   ${plan.failsafe}`,
    `vault      ${plan.vault}`,
    `gas        ${plan.gas} at most, ${formatGwei(plan.maxFeePerGasWei)} gwei: ${formatEther(plan.costWeiMax)} ether`,
  ];
}

async function carryOut(
  options: DeployOptions,
  client: DeployClient,
  account: PrivateKeyAccount,
  plan: DeployPlan,
  data: Hex,
): Promise<VaultAddresses> {
  const file = reserveAddressesFile(options.out);
  let addresses: VaultAddresses;
  try {
    addresses = await send(options, client, account, plan, data);
    file.write(addresses);
  } finally {
    file.discard();
  }
  options.log(`wrote      ${file.path}`);
  const { holds } = await verifyVault({
    rpcUrl: options.rpcUrl,
    target: { file: file.path },
    log: options.log,
  });
  if (!holds) throw new VaultDeployError(`the vault at ${plan.vault} is not what was sent: do not use it`);
  return addresses;
}

async function send(
  { rpcUrl, log }: DeployOptions,
  { chain, asked }: DeployClient,
  account: PrivateKeyAccount,
  plan: DeployPlan,
  data: Hex,
): Promise<VaultAddresses> {
  const { chainId, nonce, gas, vault, token, operator, failsafe } = plan;
  const wallet = createWalletClient({ account, transport: http(rpcUrl) });
  const request = { chain: null, data, nonce, gas } as const;
  const txHash = await asked('the chain did not take the transaction', wallet.sendTransaction(request));
  log(`sent       ${txHash}`);
  const receipt = await asked(
    `${txHash} is not in a block yet: look it up and, once it is, verify ${vault}`,
    chain.waitForTransactionReceipt({ hash: txHash, timeout: RECEIPT_MS_MAX }),
  );
  if (receipt.status !== 'success' || receipt.contractAddress == null)
    throw new VaultDeployError(
      `${txHash} failed in block ${receipt.blockNumber}: look it up before trying again`,
    );
  const code = await asked('the code could not be read', chain.getCode({ address: receipt.contractAddress }));
  return {
    chainId,
    vault: getAddress(receipt.contractAddress),
    token,
    operator,
    failsafe,
    blockNumber: Number(receipt.blockNumber),
    txHash: receipt.transactionHash,
    codeHash: keccak256(code ?? '0x'),
  };
}
