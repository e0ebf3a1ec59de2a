// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {RateLimiter} from "@openzeppelin/contracts/utils/RateLimiter.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
import {IOperatorGate, Terms} from "./IOperatorGate.sol";
import {Payout} from "./IVenueVault.sol";
import {VenueVault} from "./VenueVault.sol";

/// @title OperatorGate
/// @notice `IOperatorGate` says what it does, guarantees and does not guarantee.
contract OperatorGate is IOperatorGate {
    using EnumerableSet for EnumerableSet.AddressSet;
    using RateLimiter for RateLimiter.SlidingWindow;

    struct Proposal {
        address proposer;
        uint48 proposedAt;
    }

    uint256 private constant SHARE = 10;
    uint256 private constant EXPIRY_DELAYS = 4;
    uint256 private constant PAUSE_REST = 10;
    uint256 private constant MEMBERS_MAX = 32;
    uint256 private constant DELAY_MAX = 60 days;
    /// @dev The limiters count one thing each.
    bytes32 private constant ALL = 0;

    address public immutable vault;
    address public immutable failsafe;
    address public immutable token;
    address public immutable cold;
    address public immutable sweeper;
    uint256 public immutable freeMax;
    uint256 public immutable capMax;
    uint256 public immutable epoch;
    uint256 public immutable shortDelay;
    uint256 public immutable longDelay;
    uint256 public immutable changeDelay;
    uint256 public immutable sweepDelay;

    uint256 public vetoes;
    uint256 public pausedUntil;
    mapping(bytes32 id => Proposal) public proposalOf;
    mapping(bytes32 id => bool) public isVetoed;
    mapping(bytes32 id => mapping(address guardian => bool)) private _hasVoted;
    mapping(address guardian => uint256) private _canPauseFrom;
    EnumerableSet.AddressSet private _proposers;
    EnumerableSet.AddressSet private _guardians;
    RateLimiter.SlidingWindow private _free;
    RateLimiter.SlidingWindow private _short;
    RateLimiter.SlidingWindow private _cap;

    address private _announcedProposer;
    uint256 private _proposerReadyAt;
    bytes32 private _announcedGuardians;
    uint256 private _guardiansReadyAt;
    /// @dev Makes the ids of two announcements of the same guardians differ.
    uint256 private _announcements;

    /// @dev Makes the failsafe first and the vault second, so that both addresses follow from the gate's.
    constructor(Terms memory terms) {
        require(
            terms.cold != address(0) && terms.sweeper != address(0) && terms.freeMax <= terms.capMax && terms.capMax > 0
                && terms.capMax <= type(uint208).max && terms.shortDelay > 0 && terms.shortDelay < terms.longDelay
                && terms.longDelay < terms.changeDelay && terms.changeDelay <= DELAY_MAX
                && terms.longDelay < terms.sweepDelay && terms.sweepDelay <= DELAY_MAX && terms.longDelay <= terms.epoch
                && terms.epoch <= DELAY_MAX,
            InvalidTerms()
        );
        token = terms.token;
        cold = terms.cold;
        sweeper = terms.sweeper;
        freeMax = terms.freeMax;
        capMax = terms.capMax;
        epoch = terms.epoch;
        shortDelay = terms.shortDelay;
        longDelay = terms.longDelay;
        changeDelay = terms.changeDelay;
        sweepDelay = terms.sweepDelay;
        _free.updateSettings(terms.epoch, uint208(terms.freeMax));
        // Its limit moves with the balance, and is held by `_takeShort`.
        _short.updateSettings(terms.epoch, type(uint208).max);
        _cap.updateSettings(terms.epoch, uint208(terms.capMax));
        _checkMembers(terms.proposers);
        for (uint256 i = 0; i < terms.proposers.length; ++i) {
            _proposers.add(terms.proposers[i]);
            emit ProposerAdmitted(terms.proposers[i]);
        }
        _checkGuardians(terms.guardians, terms.vetoes);
        _setGuardians(terms.guardians, terms.vetoes);
        failsafe = _makeFailsafe(terms.sweeper, terms.sweepDelay);
        vault = address(new VenueVault(terms.token, address(this), failsafe));
    }

    /// @inheritdoc IOperatorGate
    function propose(bytes32 batchId, Payout[] calldata payouts) external returns (bytes32 id) {
        require(_isProposer(msg.sender), NotProposer(msg.sender));
        id = hashBatch(batchId, payouts);
        require(proposalOf[id].proposer == address(0), AlreadyProposed(id));
        proposalOf[id] = Proposal(msg.sender, uint48(block.timestamp));
        uint256 total = _sum(payouts);
        emit BatchProposed(id, msg.sender, batchId, total, payouts);
        if (block.timestamp > pausedUntil && !isVetoed[id] && _take(total, 0)) _commit(id, payouts, total, 0);
    }

    /// @inheritdoc IOperatorGate
    function execute(bytes32 batchId, Payout[] calldata payouts) external {
        bytes32 id = hashBatch(batchId, payouts);
        Proposal memory proposal = proposalOf[id];
        require(proposal.proposer != address(0), NotProposed(id));
        require(_isProposer(proposal.proposer), NotProposer(proposal.proposer));
        require(!isVetoed[id], VetoedByGuardians(id));
        require(block.timestamp > pausedUntil, CommitmentsPaused(pausedUntil));
        uint256 age = block.timestamp - proposal.proposedAt;
        require(age <= expiry(), BatchExpired(id, proposal.proposedAt + expiry()));
        uint256 total = _sum(payouts);
        require(_take(total, age), NotYet(id, total, age));
        _commit(id, payouts, total, age);
    }

    /// @inheritdoc IOperatorGate
    function veto(bytes32 id) external {
        require(_guardians.contains(msg.sender), NotGuardian(msg.sender));
        _hasVoted[id][msg.sender] = true;
        uint256 votes = votesAgainst(id);
        emit VetoVoted(id, msg.sender, votes);
        if (votes < _votesNeeded(id)) return;
        if (!isVetoed[id]) {
            isVetoed[id] = true;
            emit Vetoed(id);
        }
        TimelockController timelock = TimelockController(payable(failsafe));
        if (timelock.isOperationPending(id)) timelock.cancel(id);
    }

    /// @inheritdoc IOperatorGate
    function pause() external {
        require(_guardians.contains(msg.sender), NotGuardian(msg.sender));
        require(block.timestamp >= _canPauseFrom[msg.sender], PausedBefore(_canPauseFrom[msg.sender]));
        _canPauseFrom[msg.sender] = block.timestamp + PAUSE_REST * longDelay;
        pausedUntil = block.timestamp + longDelay;
        emit Paused(msg.sender, pausedUntil);
    }

    /// @inheritdoc IOperatorGate
    function announceProposer(address account) external {
        require(msg.sender == cold, NotCold(msg.sender));
        require(
            account != address(0) && !_proposers.contains(account) && !isVetoed[proposerId(account)],
            KnownProposer(account)
        );
        require(_proposers.length() < MEMBERS_MAX, InvalidMembers());
        _announcedProposer = account;
        _proposerReadyAt = block.timestamp + changeDelay;
        emit ProposerAnnounced(account, _proposerReadyAt);
    }

    /// @inheritdoc IOperatorGate
    function admitProposer() external {
        address account = _announcedProposer;
        require(account != address(0) && block.timestamp >= _proposerReadyAt, NotAnnounced());
        require(!isVetoed[proposerId(account)], VetoedByGuardians(proposerId(account)));
        delete _announcedProposer;
        delete _proposerReadyAt;
        _proposers.add(account);
        emit ProposerAdmitted(account);
    }

    /// @inheritdoc IOperatorGate
    function removeProposer(address account) external {
        require(msg.sender == cold, NotCold(msg.sender));
        require(_proposers.remove(account), NotProposer(account));
        // What it has proposed would come back to life with it.
        isVetoed[proposerId(account)] = true;
        emit ProposerRemoved(account);
    }

    /// @inheritdoc IOperatorGate
    function announceGuardians(address[] calldata members, uint256 vetoesNeeded) external {
        require(msg.sender == cold, NotCold(msg.sender));
        _checkGuardians(members, vetoesNeeded);
        ++_announcements;
        bytes32 id = _guardiansId(members, vetoesNeeded);
        // Votes given in advance cannot have been counted against the number needed from here on.
        isVetoed[id] = false;
        _announcedGuardians = id;
        _guardiansReadyAt = block.timestamp + changeDelay;
        emit GuardiansAnnounced(id, members, vetoesNeeded, _guardiansReadyAt);
    }

    /// @inheritdoc IOperatorGate
    function admitGuardians(address[] calldata members, uint256 vetoesNeeded) external {
        bytes32 id = _guardiansId(members, vetoesNeeded);
        require(id == _announcedGuardians && block.timestamp >= _guardiansReadyAt, NotAnnounced());
        require(!isVetoed[id], VetoedByGuardians(id));
        delete _announcedGuardians;
        delete _guardiansReadyAt;
        _setGuardians(members, vetoesNeeded);
    }

    /// @inheritdoc IOperatorGate
    function expiry() public view returns (uint256) {
        return EXPIRY_DELAYS * longDelay;
    }

    /// @inheritdoc IOperatorGate
    function proposers() external view returns (address[] memory) {
        return _proposers.values();
    }

    /// @inheritdoc IOperatorGate
    function guardians() external view returns (address[] memory) {
        return _guardians.values();
    }

    /// @inheritdoc IOperatorGate
    function votesAgainst(bytes32 id) public view returns (uint256 votes) {
        for (uint256 i = 0; i < _guardians.length(); ++i) {
            if (_hasVoted[id][_guardians.at(i)]) ++votes;
        }
    }

    /// @inheritdoc IOperatorGate
    function usage() external view returns (uint256 free, uint256 short, uint256 all) {
        return (_free.used(ALL), _short.used(ALL), _cap.used(ALL));
    }

    /// @inheritdoc IOperatorGate
    function uncommitted() public view returns (uint256) {
        return Math.saturatingSub(IERC20(token).balanceOf(vault), VenueVault(vault).totalCommitted());
    }

    /// @inheritdoc IOperatorGate
    function announcedProposer() external view returns (address account, uint256 readyAt) {
        return (_announcedProposer, _proposerReadyAt);
    }

    /// @inheritdoc IOperatorGate
    function announcedGuardians() external view returns (bytes32 id, uint256 readyAt) {
        return (_announcedGuardians, _guardiansReadyAt);
    }

    /// @inheritdoc IOperatorGate
    function hashBatch(bytes32 batchId, Payout[] calldata payouts) public pure returns (bytes32) {
        return keccak256(abi.encode("batch", batchId, payouts));
    }

    /// @inheritdoc IOperatorGate
    function proposerId(address account) public pure returns (bytes32) {
        return keccak256(abi.encode("proposer", account));
    }

    function _guardiansId(address[] calldata members, uint256 vetoesNeeded) private view returns (bytes32) {
        return keccak256(abi.encode("guardians", _announcements, members, vetoesNeeded));
    }

    /// @dev The gate cancels at the failsafe what guardians veto, and gives up every other power over it.
    function _makeFailsafe(address owner, uint256 delay) private returns (address) {
        address[] memory owners = new address[](1);
        owners[0] = owner;
        TimelockController timelock = new TimelockController(delay, owners, owners, address(this));
        timelock.grantRole(timelock.CANCELLER_ROLE(), address(this));
        timelock.renounceRole(timelock.DEFAULT_ADMIN_ROLE(), address(this));
        return address(timelock);
    }

    function _isProposer(address account) private view returns (bool) {
        return _proposers.contains(account) && !isVetoed[proposerId(account)];
    }

    /// @dev Guardians are replaced against the will of `vetoes` of them, who may be thieves, but not against all who
    /// are left when one less than `vetoes` are.
    function _votesNeeded(bytes32 id) private view returns (uint256) {
        return id == _announcedGuardians ? _guardians.length() - vetoes + 1 : vetoes;
    }

    /// @dev Charges an allowance and the cap with a batch of this age, or returns false and charges neither.
    function _take(uint256 total, uint256 age) private returns (bool) {
        if (total > _cap.available(ALL)) return false;
        bool isDue = age >= longDelay || (age >= shortDelay && _takeShort(total)) || _free.tryConsume(ALL, total);
        return isDue && _cap.tryConsume(ALL, total);
    }

    function _takeShort(uint256 total) private returns (bool) {
        return _short.used(ALL) + total <= uncommitted() / SHARE && _short.tryConsume(ALL, total);
    }

    /// @dev All books are settled before the vault is called, and the vault calls nobody who could call back.
    function _commit(bytes32 id, Payout[] calldata payouts, uint256 total, uint256 age) private {
        emit BatchExecuted(id, total, age);
        VenueVault(vault).commit(id, payouts);
    }

    function _sum(Payout[] calldata payouts) private pure returns (uint256 total) {
        for (uint256 i = 0; i < payouts.length; ++i) {
            total += payouts[i].amount;
        }
    }

    function _setGuardians(address[] memory members, uint256 vetoesNeeded) private {
        _guardians.clear();
        for (uint256 i = 0; i < members.length; ++i) {
            _guardians.add(members[i]);
        }
        vetoes = vetoesNeeded;
        emit GuardiansAdmitted(members, vetoesNeeded);
    }

    function _checkGuardians(address[] memory members, uint256 vetoesNeeded) private pure {
        _checkMembers(members);
        require(vetoesNeeded > 0 && 2 * vetoesNeeded <= members.length + 1, InvalidMembers());
    }

    /// @dev The ascending order excludes zero and repetitions.
    function _checkMembers(address[] memory members) private pure {
        require(members.length > 0 && members.length <= MEMBERS_MAX, InvalidMembers());
        address last = address(0);
        for (uint256 i = 0; i < members.length; ++i) {
            require(members[i] > last, InvalidMembers());
            last = members[i];
        }
    }
}
