/** The ABI of the vault and its stablecoin, as far as the page uses it, with their errors. */

import { erc20Abi, parseAbi } from 'viem';

export const vaultAbi = parseAbi([
  'error InsufficientReserves(uint256 committed, uint256 balance)',
  'error NothingToClaim(address account)',
  'error UnexpectedBalance(uint256 amount, uint256 balanceBefore, uint256 balanceAfter)',
  'error ZeroDeposit()',
  'event PayoutCommitted(uint256 indexed payoutId, address indexed account, uint256 amount)',
  'function claim() returns (uint256 amount)',
  'function deposit(uint256 amount)',
  'function entitlementOf(address account) view returns (uint256)',
  'function isPayoutCommitted(uint256 payoutId) view returns (bool)',
  'function token() view returns (address)',
  'function totalClaimed() view returns (uint256)',
  'function totalCommitted() view returns (uint256)',
]);

export const tokenAbi = erc20Abi;
