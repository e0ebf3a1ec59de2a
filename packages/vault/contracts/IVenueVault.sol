// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice One withdrawal that the exchange owes.
/// @param id Number of the withdrawal at the exchange. The vault takes each number once, ever.
/// @param account Who alone is paid.
/// @param amount In the token's smallest unit (six decimals: 1_000_000 is one dollar). Never zero.
struct Payout {
    uint256 id;
    address account;
    uint256 amount;
}

/// @title The vault that holds the exchange's money
/// @notice Every amount is in the token's smallest unit; the token has six decimals, as the exchange's micros do.
///
/// How money moves:
///  1. `deposit`: anybody sends tokens in. The exchange credits the depositing address after some confirmations.
///     The vault itself keeps no account of deposits: what each trader has is known to the exchange alone.
///  2. `commit`: the operator writes down who may take how much. From then on it is reserved for that account.
///  3. `claim` or `claimFor`: the account takes all that is reserved for it. No one can refuse, and the exchange's
///     servers need not run.
///  4. `emergencySweep`: what is not reserved goes to the failsafe, in one piece.
///
/// What the vault guarantees, as long as the token does what ERC-20 says and its balances do not shrink by themselves:
///  - it holds at least what is committed and unclaimed;
///  - what is committed to an account leaves only to that account, and only by its own act or signature;
///  - a batch and a payout are committed once at most, so a repeated transaction pays nobody twice;
///  - the sweep pays the failsafe and nobody else.
///
/// What it does NOT guarantee. Using it means trusting whoever holds the operator's key:
///  - The operator can take everything that is not committed to others, by committing it to addresses of its own and
///    claiming it. Nothing here stops that, and on chain it looks like any other withdrawal.
///  - The operator decides what is committed. It may refuse a withdrawal, or never answer, although the exchange has
///    debited the trader already. A deposit gives no claim on the vault until an entitlement is committed.
///  - The failsafe constrains the emergency sweep and no other outflow.
///  - The sweep takes deposits that traders still trade with: only what is committed stays.
///  - Whoever issues the token may freeze the vault or an account. A frozen account's entitlement stays reserved for
///    it and can neither be redirected nor swept. Others are not affected.
///  - If the token takes from the vault's balance by itself (a negative rebase, a seizure), the vault may hold less
///    than is committed. Then nothing more can be committed or swept, and whoever claims first is paid first, until
///    new deposits cover the rest; an entitlement larger than the balance has to wait.
///
/// There is no pause, no upgrade, no proxy and no way to change the operator or the failsafe. A lost operator key means
/// that nothing more can be committed; the failsafe can then still sweep. Tokens other than `token`, sent here by
/// mistake, are lost.
interface IVenueVault {
    /// @notice Tokens came in by `deposit`. A plain token transfer to the vault has no such event and credits nobody.
    /// @param account The depositor, whose balance at the exchange is to be credited.
    /// @param amount What the vault's balance grew by.
    event Deposited(address indexed account, uint256 amount);

    /// @notice A batch was committed; follows the `PayoutCommitted` of each of its payouts.
    /// @param payouts Number of payouts in the batch.
    /// @param total Their sum.
    event BatchCommitted(bytes32 indexed batchId, uint256 payouts, uint256 total);

    /// @notice `amount` was added to what `account` may claim.
    event PayoutCommitted(uint256 indexed payoutId, address indexed account, uint256 amount);

    /// @notice `account` took its whole entitlement with a transaction of its own.
    event Claimed(address indexed account, uint256 amount);

    /// @notice `account` was paid its whole entitlement in a transaction that `relayer` sent with its signature.
    event ClaimedFor(address indexed account, address indexed relayer, uint256 amount);

    /// @notice All that was not committed went to the failsafe. Nothing else emits this.
    event EmergencySwept(address indexed failsafe, uint256 amount);

    /// @notice The constructor was given a zero address, one address in two roles, or the vault's own.
    error InvalidAddresses(address token, address operator, address failsafe);

    /// @notice The constructor was given a token that counts in other units than the exchange.
    error UnsupportedDecimals(uint8 decimals);

    /// @notice `deposit` of nothing.
    error ZeroDeposit();

    /// @notice The transfer moved another amount than the one it was asked for: the token takes a fee or lies.
    error UnexpectedBalance(uint256 amount, uint256 balanceBefore, uint256 balanceAfter);

    /// @notice `commit` by somebody else than the operator.
    error NotOperator(address caller);

    /// @notice A batch without payouts.
    error EmptyBatch(bytes32 batchId);

    /// @notice This batch is on chain already: nothing is left to do for it.
    error BatchAlreadyCommitted(bytes32 batchId);

    /// @notice This payout is on chain already, in this batch or another.
    error PayoutAlreadyCommitted(uint256 payoutId);

    /// @notice A payout to the zero address or to the vault itself, which nobody could claim.
    error InvalidPayee(uint256 payoutId, address account);

    /// @notice A payout of nothing.
    error ZeroPayout(uint256 payoutId);

    /// @notice The vault holds less than would be committed and unclaimed after this batch.
    /// @param committed `totalCommitted` as the batch would make it.
    /// @param balance What the vault holds.
    error InsufficientReserves(uint256 committed, uint256 balance);

    /// @notice Nothing is committed to this account that it has not claimed.
    error NothingToClaim(address account);

    /// @notice The signed deadline has passed.
    /// @param deadline Unix seconds; the last second in which the signature counted.
    error SignatureExpired(uint256 deadline);

    /// @notice The signature is not the account's, or not for this vault, this chain, its present nonce or this deadline.
    error InvalidSignature(address account);

    /// @notice `emergencySweep` by somebody else than the operator or the failsafe.
    error NotSweeper(address caller);

    /// @notice Everything the vault holds is committed.
    error NothingToSweep(uint256 balance, uint256 committed);

    /// @notice Moves `amount` of the caller's tokens into the vault; the caller has to approve the vault before.
    /// @dev Tokens that take a fee on transfers are refused: the vault's balance has to grow by exactly `amount`.
    function deposit(uint256 amount) external;

    /// @notice Reserves what each payout names for its account. All of the batch is committed, or none of it.
    /// @dev Only the operator. An account may occur in several payouts and batches; its entitlement adds up.
    /// @param batchId Chosen by the operator; counts once, so that a batch sent twice is committed once.
    function commit(bytes32 batchId, Payout[] calldata payouts) external;

    /// @notice Pays the caller all that is committed to it.
    /// @return amount What was paid; never zero.
    function claim() external returns (uint256 amount);

    /// @notice Pays `account` all that is committed to it, in a transaction that anybody may send. A convenience for
    /// accounts that own no gas; nobody needs it, as `claim` does the same.
    /// @dev The EIP-712 domain is name "Venue Vault", version "1", the chain's id and the vault's address; the type is
    /// `Claim(address account,uint256 nonce,uint256 deadline)`. Signatures of contract wallets (ERC-1271) are not
    /// taken: such wallets call `claim`. The signature names no amount: it covers what is committed when it lands.
    /// @param account The signer, who alone is paid.
    /// @param deadline Unix seconds; the signature counts up to and including this second.
    /// @param signature 65 bytes r, s, v over the account's present nonce, with s in the lower half.
    /// @return amount What was paid; never zero.
    function claimFor(address account, uint256 deadline, bytes calldata signature) external returns (uint256 amount);

    /// @notice Pays the failsafe the whole balance but what is committed and unclaimed.
    /// @dev Only the operator or the failsafe.
    /// @return amount What was paid; never zero.
    function emergencySweep() external returns (uint256 amount);

    /// @notice The stablecoin that the vault holds, for ever.
    function token() external view returns (address);

    /// @notice The only address that can commit, for ever.
    function operator() external view returns (address);

    /// @notice The only address that the emergency sweep pays, for ever.
    function failsafe() external view returns (address);

    /// @notice What is committed and not yet claimed, over all accounts. Everything beyond it in the vault's balance
    /// has to cover what the exchange owes its traders.
    function totalCommitted() external view returns (uint256);

    /// @notice What has been claimed since the vault exists. With `totalCommitted` it makes the sum of all payouts.
    function totalClaimed() external view returns (uint256);

    /// @notice What `account` would be paid now. It falls only by being paid to that account.
    function entitlementOf(address account) external view returns (uint256);

    /// @notice Whether the batch is on chain.
    function isBatchCommitted(bytes32 batchId) external view returns (bool);

    /// @notice Whether the payout is on chain, in whatever batch.
    function isPayoutCommitted(uint256 payoutId) external view returns (bool);

    /// @notice The nonce that the next `claimFor` signature of `account` has to carry.
    function nonces(address account) external view returns (uint256);
}
