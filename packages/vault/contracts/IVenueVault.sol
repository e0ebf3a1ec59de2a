// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice One withdrawal that the exchange owes.
/// @param id Number of the withdrawal at the exchange. The vault accepts each number only once.
/// @param account The only account that is paid.
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
///  1. `deposit`: anyone sends tokens in. The exchange credits the depositing address after some confirmations.
///     The vault itself keeps no record of deposits: only the exchange knows each trader's balance.
///  2. `commit`: the operator records how much an account may take. From then on it is reserved for that account.
///  3. `claim` or `claimFor`: the account takes everything reserved for it. No one can refuse, and the exchange's
///     servers need not run.
///  4. `emergencySweep`: the whole unreserved balance goes to the failsafe.
///
/// The vault guarantees, as long as the token follows ERC-20 and its balances do not shrink by themselves:
///  - it holds at least what is committed and unclaimed;
///  - amounts committed to an account leave only to that account, and only by its own act or signature;
///  - a batch and a payout are committed at most once, so a repeated transaction pays nobody twice;
///  - the sweep pays the failsafe and nobody else.
///
/// It does NOT guarantee the following. Using it means trusting the holder of the operator's key:
///  - The operator can take everything that is not committed to others, by committing it to its own addresses and
///    claiming it. Nothing here prevents that, and on chain it looks like any other withdrawal.
///  - The operator decides what is committed. It may refuse a withdrawal, or never answer, even after the exchange has
///    debited the trader. A deposit gives no claim on the vault until an entitlement is committed.
///  - The failsafe restricts only the emergency sweep, no other outflow.
///  - The sweep takes deposits that traders still trade with: only committed amounts stay.
///  - The token's issuer may freeze the vault or an account. A frozen account's entitlement stays reserved for it and
///    can neither be redirected nor swept. Other accounts are not affected.
///  - If the token takes from the vault's balance by itself (a negative rebase, a seizure), the vault may hold less
///    than is committed. Then nothing more can be committed or swept, and claims are paid first come, first served,
///    until new deposits cover the rest; an entitlement larger than the balance must wait.
///
/// There is no pause, no upgrade, no proxy and no way to change the operator or the failsafe. A lost operator key means
/// that nothing more can be committed; the failsafe can then still sweep. Tokens other than `token`, sent here by
/// mistake, are lost.
interface IVenueVault {
    /// @notice Tokens came in by `deposit`. A plain token transfer to the vault has no such event and credits nobody.
    /// @param account The depositor, whose balance at the exchange is to be credited.
    /// @param amount The increase of the vault's balance.
    event Deposited(address indexed account, uint256 amount);

    /// @notice A batch was committed; comes after the `PayoutCommitted` of each of its payouts.
    /// @param payouts Number of payouts in the batch.
    /// @param total Their sum.
    event BatchCommitted(bytes32 indexed batchId, uint256 payouts, uint256 total);

    /// @notice `amount` was added to the entitlement of `account`.
    event PayoutCommitted(uint256 indexed payoutId, address indexed account, uint256 amount);

    /// @notice `account` took its whole entitlement with a transaction of its own.
    event Claimed(address indexed account, uint256 amount);

    /// @notice `account` was paid its whole entitlement in a transaction that `relayer` sent with its signature.
    event ClaimedFor(address indexed account, address indexed relayer, uint256 amount);

    /// @notice The whole uncommitted balance went to the failsafe. Nothing else emits this.
    event EmergencySwept(address indexed failsafe, uint256 amount);

    /// @notice The constructor was given a zero address, one address in two roles, or the vault's own.
    error InvalidAddresses(address token, address operator, address failsafe);

    /// @notice The constructor was given a token that counts in other units than the exchange.
    error UnsupportedDecimals(uint8 decimals);

    /// @notice `deposit` of zero.
    error ZeroDeposit();

    /// @notice The transfer moved a different amount than requested: the token takes a fee or lies.
    error UnexpectedBalance(uint256 amount, uint256 balanceBefore, uint256 balanceAfter);

    /// @notice `commit` by an account other than the operator.
    error NotOperator(address caller);

    /// @notice A batch without payouts.
    error EmptyBatch(bytes32 batchId);

    /// @notice This batch is already on chain: nothing is left to do for it.
    error BatchAlreadyCommitted(bytes32 batchId);

    /// @notice This payout is already on chain, in this batch or another.
    error PayoutAlreadyCommitted(uint256 payoutId);

    /// @notice A payout to the zero address or to the vault itself, which nobody could claim.
    error InvalidPayee(uint256 payoutId, address account);

    /// @notice A payout of zero.
    error ZeroPayout(uint256 payoutId);

    /// @notice The vault holds less than would be committed and unclaimed after this batch.
    /// @param committed `totalCommitted` after the batch.
    /// @param balance The vault's balance.
    error InsufficientReserves(uint256 committed, uint256 balance);

    /// @notice This account has no unclaimed entitlement.
    error NothingToClaim(address account);

    /// @notice The signed deadline has passed.
    /// @param deadline Unix seconds; the last second in which the signature was valid.
    error SignatureExpired(uint256 deadline);

    /// @notice The signature is not the account's, or not for this vault, this chain, its current nonce or this deadline.
    error InvalidSignature(address account);

    /// @notice `emergencySweep` by an account other than the operator or the failsafe.
    error NotSweeper(address caller);

    /// @notice Everything the vault holds is committed.
    error NothingToSweep(uint256 balance, uint256 committed);

    /// @notice Moves `amount` of the caller's tokens into the vault; the caller must approve the vault first.
    /// @dev Tokens that take a fee on transfers are refused: the vault's balance must grow by exactly `amount`.
    function deposit(uint256 amount) external;

    /// @notice Reserves the amount of each payout for its account. The whole batch is committed, or none of it.
    /// @dev Only the operator. An account may occur in several payouts and batches; its entitlement adds up.
    /// @param batchId Chosen by the operator; counts once, so that a batch sent twice is committed once.
    function commit(bytes32 batchId, Payout[] calldata payouts) external;

    /// @notice Pays the caller its whole entitlement.
    /// @return amount The amount paid; never zero.
    function claim() external returns (uint256 amount);

    /// @notice Pays `account` its whole entitlement, in a transaction that anyone may send. A convenience for accounts
    /// without gas; `claim` does the same.
    /// @dev The EIP-712 domain is name "Venue Vault", version "1", the chain's id and the vault's address; the type is
    /// `Claim(address account,uint256 nonce,uint256 deadline)`. Signatures of contract wallets (ERC-1271) are not
    /// accepted: such wallets call `claim`. The signature names no amount: it covers the entitlement when it lands.
    /// @param account The signer, the only account that is paid.
    /// @param deadline Unix seconds; the signature is valid up to and including this second.
    /// @param signature 65 bytes r, s, v over the account's current nonce, with s in the lower half.
    /// @return amount The amount paid; never zero.
    function claimFor(address account, uint256 deadline, bytes calldata signature) external returns (uint256 amount);

    /// @notice Pays the failsafe the whole balance except the part committed and unclaimed.
    /// @dev Only the operator or the failsafe.
    /// @return amount The amount paid; never zero.
    function emergencySweep() external returns (uint256 amount);

    /// @notice The stablecoin that the vault holds; it never changes.
    function token() external view returns (address);

    /// @notice The only address that can commit; it never changes.
    function operator() external view returns (address);

    /// @notice The only address that the emergency sweep pays; it never changes.
    function failsafe() external view returns (address);

    /// @notice The amount committed and not yet claimed, over all accounts. The rest of the vault's balance must cover
    /// the exchange's debt to its traders.
    function totalCommitted() external view returns (uint256);

    /// @notice The amount claimed since deployment. Plus `totalCommitted` it is the sum of all payouts.
    function totalClaimed() external view returns (uint256);

    /// @notice The current entitlement of `account`. It falls only by being paid to that account.
    function entitlementOf(address account) external view returns (uint256);

    /// @notice True if the batch is on chain.
    function isBatchCommitted(bytes32 batchId) external view returns (bool);

    /// @notice True if the payout is on chain, in any batch.
    function isPayoutCommitted(uint256 payoutId) external view returns (bool);

    /// @notice The nonce required in the next `claimFor` signature of `account`.
    function nonces(address account) external view returns (uint256);
}
