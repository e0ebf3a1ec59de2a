// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Payout} from "./IVenueVault.sol";

/// @notice The terms that a gate is built with. All but proposers, guardians and `vetoes` stay forever.
/// @param token The stablecoin of the vault; six decimals.
/// @param cold Rotates proposers and guardians; best a multi-signature. It cannot propose, execute or sweep.
/// @param sweeper Owner of the failsafe: the only account that can sweep the vault, after `sweepDelay`.
/// @param proposers Hot keys that may propose, in ascending order.
/// @param guardians Keys that may veto, in ascending order.
/// @param vetoes The number of guardians whose votes are a veto: at least one, and at most half of them, rounded up.
/// @param freeMax The sum that may be committed without delay in one epoch.
/// @param capMax The sum that may be committed in one epoch, whatever its delay.
/// @param epoch Length of the windows in which amounts are counted, in seconds; not shorter than `longDelay`.
/// @param shortDelay Seconds between proposal and commit, above `freeMax`.
/// @param longDelay Seconds between proposal and commit, above a tenth of the vault's uncommitted balance.
/// @param changeDelay Seconds between the announcement and the admission of a proposer or of other guardians.
/// @param sweepDelay Seconds between the announcement and the execution of a sweep.
struct Terms {
    address token;
    address cold;
    address sweeper;
    address[] proposers;
    address[] guardians;
    uint256 vetoes;
    uint256 freeMax;
    uint256 capMax;
    uint48 epoch;
    uint48 shortDelay;
    uint48 longDelay;
    uint48 changeDelay;
    uint48 sweepDelay;
}

/// @title The gate before the vault's commitments
/// @notice Operator of a vault that it makes itself. It turns what hot keys propose into commitments, slowly enough
/// for others to object. Amounts are in the token's smallest unit, times in seconds.
///
/// How a batch gets through:
///  1. `propose`: a proposer names the payouts. A batch that the free allowance still holds is committed at once.
///  2. Guardians look at it. `vetoes` of them end it by `veto`; a single one stops everything for a while by `pause`.
///  3. `execute`: anyone, once the batch is old enough. A batch younger than `longDelay` needs an allowance that holds
///     all of it: a tenth of the vault's uncommitted balance per epoch, or before `shortDelay` the free one. At
///     `longDelay` it needs none. Every batch counts towards the cap of the epoch, and is void after `expiry`.
///
/// Allowances count what was committed in the last `epoch` seconds, at any moment. So a sum gains nothing from being
/// cut into pieces, and no two epochs meet at an edge.
///
/// The gate guarantees, given enough honest guardians (all but `vetoes - 1`):
///  - in no period of `epoch` seconds more than `freeMax` is committed sooner than `shortDelay` after its proposal,
///    and more than that and a tenth of the uncommitted balance sooner than `longDelay`;
///  - in no period of `epoch` seconds more than `capMax` is committed;
///  - what guardians have vetoed is never committed, admitted or swept;
///  - a new proposer, other guardians and a sweep are announced on chain `changeDelay` or `sweepDelay` before.
///
/// It does NOT guarantee:
///  - Nobody can veto what leaves within the free allowance: it is gone when it is seen. A stolen proposer key takes
///    `freeMax` per epoch until the proposer is removed. Only `freeMax` of zero lets nothing past the guardians.
///  - A stolen proposer key can commit an honest payout's id with a tiny amount to anyone, which blocks that id.
///  - `vetoes` stolen guardians can veto everything. They cannot veto their own replacement, unless there are fewer
///    than twice as many guardians: it takes the votes of `guardians - vetoes + 1`.
///  - The uncommitted balance is that of the moment of execution. A deposit raises it.
///  - An announced sweep that nobody vetoed can be executed at any time afterwards.
///
/// Nothing here can be upgraded, and the gate has no sweep: only the failsafe, a timelock of its own, can.
interface IOperatorGate {
    /// @notice A batch was proposed. `id` names it in every other event, and as a batch of the vault.
    /// @param batchId Chosen by the proposer.
    event BatchProposed(bytes32 indexed id, address indexed proposer, bytes32 batchId, uint256 total, Payout[] payouts);

    /// @notice A batch became a commitment of the vault.
    /// @param age Seconds since its proposal.
    event BatchExecuted(bytes32 indexed id, uint256 total, uint256 age);

    /// @notice A guardian voted against `id`, which now has `votes` of the guardians in office.
    event VetoVoted(bytes32 indexed id, address indexed guardian, uint256 votes);

    /// @notice `id` is vetoed, permanently.
    event Vetoed(bytes32 indexed id);

    /// @notice A guardian stopped all commitments up to and including the second `until`.
    event Paused(address indexed guardian, uint256 until);

    /// @notice The cold key wants another proposer, who can be admitted from `readyAt` on.
    event ProposerAnnounced(address indexed proposer, uint256 readyAt);

    /// @notice A proposer may propose.
    event ProposerAdmitted(address indexed proposer);

    /// @notice A proposer is none any more, and whatever it has proposed is void.
    event ProposerRemoved(address indexed proposer);

    /// @notice The cold key wants other guardians, who can be admitted from `readyAt` on. `id` is for `veto`.
    event GuardiansAnnounced(bytes32 indexed id, address[] guardians, uint256 vetoes, uint256 readyAt);

    /// @notice These are the guardians.
    event GuardiansAdmitted(address[] guardians, uint256 vetoes);

    /// @notice The delays, the epoch or the amounts contradict each other.
    error InvalidTerms();

    /// @notice A list is empty, too long or not in ascending order, or the votes needed do not fit it.
    error InvalidMembers();

    /// @notice This account may not propose, never may again, or may no longer.
    error NotProposer(address account);

    /// @notice Only a guardian can do this.
    error NotGuardian(address account);

    /// @notice Only the cold key can do this.
    error NotCold(address account);

    /// @notice This batch was proposed before. After a veto or its expiry it takes another `batchId`.
    error AlreadyProposed(bytes32 id);

    /// @notice This batch was not proposed, or not with these payouts.
    error NotProposed(bytes32 id);

    /// @notice Guardians have vetoed this.
    error VetoedByGuardians(bytes32 id);

    /// @notice The batch is too old.
    /// @param expiredAt The last second in which it could be executed.
    error BatchExpired(bytes32 id, uint256 expiredAt);

    /// @notice A guardian has stopped all commitments.
    /// @param until The last second of the pause.
    error CommitmentsPaused(uint256 until);

    /// @notice The batch is too young for its size, or the cap of the epoch does not hold it.
    /// @param age Seconds since its proposal.
    error NotYet(bytes32 id, uint256 total, uint256 age);

    /// @notice This guardian has paused before, and can again from `from` on.
    error PausedBefore(uint256 from);

    /// @notice This address is a proposer already, was one, or was vetoed before it became one.
    error KnownProposer(address account);

    /// @notice Nothing like this is announced, or its delay is not over.
    error NotAnnounced();

    /// @notice Proposes a batch, and commits it at once if the free allowance and the cap hold it.
    /// @dev Only a proposer. While commitments are paused a batch is proposed, and not committed.
    /// @param batchId Chosen by the proposer, and not used before with these payouts.
    /// @return id The batch's name here and in the vault: `hashBatch(batchId, payouts)`.
    function propose(bytes32 batchId, Payout[] calldata payouts) external returns (bytes32 id);

    /// @notice Commits a proposed batch that is old enough for its size. Anyone may.
    function execute(bytes32 batchId, Payout[] calldata payouts) external;

    /// @notice Votes against a batch, a proposer (`proposerId`), announced guardians or an operation of the failsafe.
    /// @dev Only a guardian. A vote counts once, however often it is given, and before its object is there. Against an
    /// operation of the failsafe that was announced again, any guardian's further vote is enough.
    function veto(bytes32 id) external;

    /// @notice Stops all commitments for `longDelay`. The same guardian can again after ten times as long.
    function pause() external;

    /// @notice Announces a proposer, in place of any other that is announced. Only the cold key.
    function announceProposer(address account) external;

    /// @notice Admits the announced proposer after its delay. Anyone may.
    function admitProposer() external;

    /// @notice Removes a proposer at once and permanently. Only the cold key.
    function removeProposer(address account) external;

    /// @notice Announces guardians, in place of any others that are announced. Only the cold key.
    /// @param members All guardians to be, in ascending order.
    function announceGuardians(address[] calldata members, uint256 vetoesNeeded) external;

    /// @notice Admits the announced guardians after their delay. Anyone may.
    function admitGuardians(address[] calldata members, uint256 vetoesNeeded) external;

    /// @notice The vault that this gate made and operates.
    function vault() external view returns (address);

    /// @notice The timelock that alone can sweep the vault: a TimelockController of OpenZeppelin. Its proposer and
    /// executor is the sweeper; the sweeper and this gate can cancel; nobody administers it but itself.
    function failsafe() external view returns (address);

    /// @notice The stablecoin of the vault.
    function token() external view returns (address);

    /// @notice The account that rotates proposers and guardians.
    function cold() external view returns (address);

    /// @notice The owner of the failsafe at the time of deployment.
    function sweeper() external view returns (address);

    /// @notice See `Terms`, also for the six below.
    function freeMax() external view returns (uint256);

    function capMax() external view returns (uint256);

    function epoch() external view returns (uint256);

    function shortDelay() external view returns (uint256);

    function longDelay() external view returns (uint256);

    function changeDelay() external view returns (uint256);

    function sweepDelay() external view returns (uint256);

    /// @notice Seconds after its proposal in which a batch can be executed.
    function expiry() external view returns (uint256);

    /// @notice The number of guardians whose votes are a veto.
    function vetoes() external view returns (uint256);

    /// @notice The proposers in office.
    function proposers() external view returns (address[] memory);

    /// @notice The guardians in office.
    function guardians() external view returns (address[] memory);

    /// @notice Who proposed a batch, and when; zeros if nobody did.
    function proposalOf(bytes32 id) external view returns (address proposer, uint48 proposedAt);

    /// @notice The votes of the guardians in office against `id`.
    function votesAgainst(bytes32 id) external view returns (uint256);

    /// @notice True if `id` is vetoed, or belongs to a removed proposer.
    function isVetoed(bytes32 id) external view returns (bool);

    /// @notice The last second of the pause; in the past or zero if there is none.
    function pausedUntil() external view returns (uint256);

    /// @notice The sums committed in the last epoch: on the free allowance, on that of the short delay, and in all.
    function usage() external view returns (uint256 free, uint256 short, uint256 all);

    /// @notice The vault's balance that nobody may claim; its tenth is the allowance of the short delay.
    function uncommitted() external view returns (uint256);

    /// @notice The announced proposer and from when on it can be admitted; zeros if there is none.
    function announcedProposer() external view returns (address account, uint256 readyAt);

    /// @notice Announced guardians by their id, and from when on they can be admitted; zeros if there are none.
    function announcedGuardians() external view returns (bytes32 id, uint256 readyAt);

    /// @notice The id of a batch.
    function hashBatch(bytes32 batchId, Payout[] calldata payouts) external pure returns (bytes32);

    /// @notice The id of a proposer, for `veto`: a veto voids the proposer and whatever it has proposed.
    function proposerId(address account) external pure returns (bytes32);
}
