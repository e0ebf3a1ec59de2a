/**
 * Deploys a vault, or a gate that makes its vault (CUS-15): first the plan, which costs nothing, then the transaction,
 * its file and its verification.
 */

import {
  type Address,
  createWalletClient,
  encodeDeployData,
  erc20Abi,
  formatEther,
  formatGwei,
  getContractAddress,
  type Hex,
  http,
  keccak256,
  type PrivateKeyAccount,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { usdText } from '../chain/amounts.ts';
import { venueVaultAbi } from '../contract/abi.ts';
import { refuseExisting, reserveAddressesFile, type VaultAddresses } from '../contract/addresses.ts';
import { vaultArtifact } from '../contract/artifact.ts';
import { VaultDeployError } from '../contract/deploy-error.ts';
import {
  type GateRequest,
  type GateTerms,
  gateCreation,
  gateTermsOf,
  madeBy,
  roleAddress,
} from '../contract/gate-terms.ts';
import { type DeployClient, openDeployClient } from './deploy-client.ts';
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
  /** An address, or the terms of a gate, which is then made with the vault. */
  readonly operator: string | GateRequest;
  /** Whom a sweep pays; with a gate the owner of the timelock that a sweep pays. */
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
  /** The terms of the gate that is the operator. */
  readonly gate?: GateTerms;
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
  const wanted = wantedOf(options);
  refuseExisting(options.out);
  const client = await openDeployClient(options.rpcUrl, options.chainId);
  await refuseOtherTokens(client, wanted.token);
  const data = creationOf(wanted);
  const plan = await planOf(client, account, wanted, data);
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

/** A vault for an operator that is there, or a gate and its vault. */
type Wanted =
  | { readonly token: Address; readonly operator: Address; readonly failsafe: Address }
  | { readonly token: Address; readonly gate: GateTerms };

function wantedOf({ token: tokenText, operator, failsafe: failsafeText }: DeployOptions): Wanted {
  const token = roleAddress('token', tokenText);
  if (typeof operator !== 'string') {
    const gate = gateTermsOf(operator, roleAddress('failsafe', failsafeText));
    if ([gate.cold, gate.sweeper, ...gate.proposers, ...gate.guardians].includes(token))
      throw new VaultDeployError(`the token ${token} can have no other role`);
    return { token, gate };
  }
  const roles = {
    token,
    operator: roleAddress('operator', operator),
    failsafe: roleAddress('failsafe', failsafeText),
  };
  if (new Set(Object.values(roles)).size < 3)
    throw new VaultDeployError('token, operator and failsafe must be three different addresses');
  return roles;
}

function creationOf(wanted: Wanted): Hex {
  if ('gate' in wanted) return gateCreation(wanted.token, wanted.gate);
  const args = [wanted.token, wanted.operator, wanted.failsafe] as const;
  return encodeDeployData({ abi: venueVaultAbi, bytecode: vaultArtifact.bytecode, args });
}

/** Every address of the plan, if what is made first has the given one. */
function placesOf(wanted: Wanted, made: Address) {
  if ('gate' in wanted) return { ...wanted, ...madeBy(made), operator: made };
  return { ...wanted, vault: made };
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
  wanted: Wanted,
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
    ...placesOf(wanted, getContractAddress({ from: deployer, nonce: BigInt(nonce) })),
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
    `operator   ${plan.operator}${plan.gate === undefined ? '' : ', a gate that is made with the vault'}`,
    ...(plan.gate === undefined ? [] : describeTerms(plan.gate)),
    `failsafe   ${plan.failsafe}${plan.gate === undefined ? '' : ', a timelock that is made with the vault'}`,
    `vault      ${plan.vault}`,
    `gas        ${plan.gas} at most, ${formatGwei(plan.maxFeePerGasWei)} gwei: ${formatEther(plan.costWeiMax)} ether`,
  ];
}

function describeTerms(terms: GateTerms): string[] {
  const { proposers, guardians, vetoes, cold, sweeper } = terms;
  const usd = (micros: number) => usdText(BigInt(micros));
  return [
    `  propose  ${proposers.join(', ')}`,
    `  veto     ${vetoes} of ${guardians.join(', ')}`,
    `  cold     ${cold}, changes after ${terms.changeDelaySeconds} s`,
    `  sweep    ${sweeper}, after ${terms.sweepDelaySeconds} s`,
    `  amounts  ${usd(terms.freeMaxMicros)} at once, ${usd(terms.capMaxMicros)} in all, per ${terms.epochSeconds} s`,
    `  delays   ${terms.shortDelaySeconds} s, above a tenth of the vault ${terms.longDelaySeconds} s`,
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
  client: DeployClient,
  account: PrivateKeyAccount,
  plan: DeployPlan,
  data: Hex,
): Promise<VaultAddresses> {
  const { chain, asked } = client;
  const { chainId, nonce, gas, vault, token, operator, failsafe, gate } = plan;
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
  return {
    chainId,
    vault,
    token,
    operator,
    failsafe,
    blockNumber: Number(receipt.blockNumber),
    txHash: receipt.transactionHash,
    codeHash: await codeHashOf(client, vault),
    ...(gate !== undefined && { gate: { ...gate, codeHash: await codeHashOf(client, operator) } }),
  };
}

async function codeHashOf({ chain, asked }: DeployClient, address: Address): Promise<Hex> {
  return keccak256((await asked('the code could not be read', chain.getCode({ address }))) ?? '0x');
}
