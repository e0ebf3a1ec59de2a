// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {IOperatorGate} from "../IOperatorGate.sol";
import {IVenueVault, Payout} from "../IVenueVault.sol";
import {GateTest} from "./GateTest.sol";
import {CallingToken, TransferHook} from "./HostileTokens.sol";
import {bound, vm} from "./Vm.sol";

/// @notice A thief with every key of the gate, in any order and with any numbers: proposers, guardians, the cold key,
/// the sweeper, and a token that calls back. Beside it simple books of what is then allowed.
/// @dev An act that is allowed and fails, or is not and works, reverts, which ends the campaign.
contract GateHandler is GateTest, TransferHook {
    uint256 private constant LARGE = 10_000e6;
    uint256 private constant POOL = 8;
    bytes private constant SWEEP_CALL = abi.encodeCall(IVenueVault.emergencySweep, ());

    struct Batch {
        bytes32 id;
        bytes32 batchId;
        Payout[] payouts;
        uint256 total;
        address proposer;
        uint256 proposedAt;
        bool isCommitted;
    }

    /// @dev The facts when a batch was committed.
    struct Commit {
        uint256 at;
        uint256 age;
        uint256 total;
        uint256 uncommitted;
        bool onShort;
        bool onFree;
    }

    Commit[] private _commits;
    Batch[] private _batches;
    uint256 private _payouts;
    uint256 private _clock = 1_800_000_000;

    mapping(address account => bool) private _isProposer;
    mapping(address account => bool) private _wasProposer;
    address[] private _guardianList;
    uint256 private _needed = VETOES;
    mapping(bytes32 id => mapping(address guardian => bool)) private _votes;
    mapping(bytes32 id => bool) private _vetoed;
    uint256 private _pausedUntil;
    mapping(address guardian => uint256) private _pausedAt;

    address private _newProposer;
    uint256 private _newProposerAt;
    bytes32 private _newGuardiansId;
    address[] private _newGuardians;
    uint256 private _newNeeded;
    uint256 private _newGuardiansAt;
    uint256 private _announcements;

    bytes32 private _sweepSalt;
    uint256 private _sweepAt;

    uint256 public committedEver;
    uint256 public claimedEver;
    uint256 public cameIn;
    uint256 public swept;
    uint256 public calledBack;
    /// @dev True if the vault moves tokens, and not the mint of a test.
    bool private _isVaultAtWork;

    /// @dev Counts of successful acts.
    mapping(bytes4 act => uint256) public done;

    modifier inTime() {
        vm.warp(_clock);
        _;
    }

    constructor() {
        vm.warp(_clock);
        build(new CallingToken());
        for (uint256 i = 0; i < 2; ++i) {
            _isProposer[proposer(i)] = true;
            _wasProposer[proposer(i)] = true;
        }
        _guardianList = members(0xb0, GUARDIANS);
        fund(LARGE);
        cameIn = LARGE;
        CallingToken(address(token)).arm(this);
    }

    /// @dev In the middle of a transfer: nothing of the gate or the vault may commit or sweep.
    function onTransfer() external {
        vm.assertEq(msg.sender, address(token));
        if (!_isVaultAtWork || _batches.length == 0) return;
        ++calledBack;
        Batch storage batch = _batches[calledBack % _batches.length];
        uint256 before = vault.totalCommitted() + vault.totalClaimed();
        (bool works,) = address(gate).call(abi.encodeCall(IOperatorGate.execute, (batch.batchId, batch.payouts)));
        vm.assertFalse(works, "a batch was executed while the token moved");
        vm.assertEq(vault.totalCommitted() + vault.totalClaimed(), before, "the books moved");
    }

    // Money

    function deposit(uint256 amount) external inTime {
        amount = bound(amount, 1, LARGE / 5);
        token.mint(stranger, amount);
        vm.prank(stranger);
        token.approve(address(vault), amount);
        _isVaultAtWork = true;
        vm.prank(stranger);
        vault.deposit(amount);
        _isVaultAtWork = false;
        cameIn += amount;
        did(this.deposit.selector);
    }

    function claim(uint256 who) external inTime {
        address account = payee(who);
        uint256 owed = vault.entitlementOf(account);
        if (owed == 0) return;
        _isVaultAtWork = true;
        vm.prank(account);
        claimedEver += vault.claim();
        _isVaultAtWork = false;
        did(this.claim.selector);
    }

    function wait(uint256 time, uint256 scale) external {
        uint256[6] memory most = [uint256(10 minutes), 10 minutes, SHORT, SHORT, LONG, CHANGE];
        _clock += bound(time, 0, most[scale % 6]);
        vm.warp(_clock);
        did(this.wait.selector);
    }

    // Proposals

    /// @dev A batch of one to three payouts, from dust to more than the vault holds.
    function propose(uint256 seed, uint256 who, uint256 size) external inTime {
        uint256 tenth = gate.uncommitted() / 10;
        uint256[5] memory most = [uint256(1e6), FREE, tenth, 2 * tenth, 10 * tenth + 10];
        uint256 count = bound(seed, 1, 3);
        uint256 most_ = most[size % 5] < count ? count : most[size % 5];
        Payout[] memory payouts = new Payout[](count);
        for (uint256 i = 0; i < count; ++i) {
            payouts[i] = Payout(++_payouts, payee(mix(seed, i)), bound(mix(seed, i + 9), 1, most_ / count));
        }
        proposeAs(who % 8 == 0 ? poolProposer(who / 8) : proposerInOffice(who), payouts);
        did(this.propose.selector);
    }

    /// @dev The payouts of another batch, once more or under another proposer.
    function proposeAgain(uint256 index, uint256 who) external inTime {
        if (_batches.length == 0) return;
        proposeAs(proposerInOffice(who), _batches[index % _batches.length].payouts);
        did(this.proposeAgain.selector);
    }

    /// @dev One of the last few batches, and often just before, at or after the moments that matter.
    function execute(uint256 index, uint256 who, uint256 moment) external inTime {
        if (_batches.length == 0) return;
        Batch storage batch = _batches[_batches.length - 1 - index % (_batches.length < 6 ? _batches.length : 6)];
        uint256[8] memory ages =
            [uint256(0), 0, SHORT - 1, SHORT, LONG - 1, LONG, 4 * uint256(LONG), 4 * uint256(LONG) + 1];
        if (batch.proposedAt + ages[moment % 8] > _clock) _clock = batch.proposedAt + ages[moment % 8];
        vm.warp(_clock);
        uint256 age = _clock - batch.proposedAt;
        (bool isAllowed, bool onShort, bool onFree) = allowed(batch, age);
        bool isExpected = isAllowed && isProposerNow(batch.proposer) && !_vetoed[batch.id] && _clock > _pausedUntil
            && age <= 4 * LONG && vaultTakes(batch);
        uint256 free = gate.uncommitted();
        bytes memory call = abi.encodeCall(IOperatorGate.execute, (batch.batchId, batch.payouts));
        vm.prank(anybody(who));
        (bool works,) = address(gate).call(call);
        vm.assertTrue(works == isExpected, isExpected ? "an execution was refused" : "an execution was allowed");
        if (works) noteCommit(batch, Commit(_clock, age, batch.total, free, onShort, onFree));
        if (works) did(this.execute.selector);
    }

    /// @dev A batch with one of its payouts changed.
    function executeForged(uint256 index, uint256 field) external inTime {
        if (_batches.length == 0) return;
        Batch storage batch = _batches[index % _batches.length];
        Payout[] memory payouts = batch.payouts;
        if (field % 3 == 0) payouts[0].amount += 1;
        if (field % 3 == 1) payouts[0].account = sweeper;
        if (field % 3 == 2) payouts[0].id += 1e6;
        mustFail(sweeper, address(gate), abi.encodeCall(IOperatorGate.execute, (batch.batchId, payouts)));
        did(this.executeForged.selector);
    }

    // Guardians

    function vetoBatch(uint256 who, uint256 index) external inTime {
        if (_batches.length == 0) return;
        vote(poolGuardian(who), _batches[_batches.length - 1 - index % (_batches.length < 3 ? _batches.length : 3)].id);
        did(this.vetoBatch.selector);
    }

    /// @dev Sometimes, or no proposer would be left early in most campaigns.
    function vetoProposer(uint256 who, uint256 index, uint256 chance) external inTime {
        if (chance % 8 != 0) return;
        vote(poolGuardian(who), gate.proposerId(poolProposer(index)));
        did(this.vetoProposer.selector);
    }

    function vetoGuardians(uint256 who) external inTime {
        if (_newGuardiansAt == 0) return;
        vote(poolGuardian(who), _newGuardiansId);
        did(this.vetoGuardians.selector);
    }

    function pause(uint256 who, uint256 chance) external inTime {
        if (chance % 4 != 0) return;
        address account = poolGuardian(who);
        bool isExpected =
            isGuardian(account) && (_pausedAt[account] == 0 || _clock >= _pausedAt[account] + 10 * uint256(LONG));
        vm.prank(account);
        (bool works,) = address(gate).call(abi.encodeCall(IOperatorGate.pause, ()));
        vm.assertTrue(works == isExpected, "pause");
        if (!works) return;
        _pausedAt[account] = _clock;
        _pausedUntil = _clock + LONG;
        did(this.pause.selector);
    }

    // The cold key

    function announceProposer(uint256 index) external inTime {
        address account = poolProposer(index);
        bool isExpected = !_wasProposer[account] && !_vetoed[gate.proposerId(account)];
        vm.prank(cold);
        (bool works,) = address(gate).call(abi.encodeCall(IOperatorGate.announceProposer, (account)));
        vm.assertTrue(works == isExpected, "announceProposer");
        if (!works) return;
        _newProposer = account;
        _newProposerAt = _clock + CHANGE;
        did(this.announceProposer.selector);
    }

    function admitProposer(uint256 who) external inTime {
        bool isExpected = _newProposerAt != 0 && _clock >= _newProposerAt && !_vetoed[gate.proposerId(_newProposer)];
        vm.prank(anybody(who));
        (bool works,) = address(gate).call(abi.encodeCall(IOperatorGate.admitProposer, ()));
        vm.assertTrue(works == isExpected, "admitProposer");
        if (!works) return;
        _isProposer[_newProposer] = true;
        _wasProposer[_newProposer] = true;
        _newProposerAt = 0;
        did(this.admitProposer.selector);
    }

    function removeProposer(uint256 index, uint256 chance) external inTime {
        if (chance % 8 != 0) return;
        address account = poolProposer(index);
        bool isExpected = _isProposer[account];
        vm.prank(cold);
        (bool works,) = address(gate).call(abi.encodeCall(IOperatorGate.removeProposer, (account)));
        vm.assertTrue(works == isExpected, "removeProposer");
        if (!works) return;
        _isProposer[account] = false;
        _vetoed[gate.proposerId(account)] = true;
        did(this.removeProposer.selector);
    }

    function announceGuardians(uint256 first, uint256 count) external inTime {
        count = bound(count, 1, 5);
        _newGuardians = members(0xb0 + uint160(first % (POOL - count + 1)), count);
        _newNeeded = (count + 1) / 2;
        _newGuardiansId = keccak256(abi.encode("guardians", ++_announcements, _newGuardians, _newNeeded));
        _vetoed[_newGuardiansId] = false;
        _newGuardiansAt = _clock + CHANGE;
        vm.prank(cold);
        gate.announceGuardians(_newGuardians, _newNeeded);
        did(this.announceGuardians.selector);
    }

    function admitGuardians(uint256 who) external inTime {
        bool isExpected = _newGuardiansAt != 0 && _clock >= _newGuardiansAt && !_vetoed[_newGuardiansId];
        vm.prank(anybody(who));
        (bool works,) = address(gate).call(abi.encodeCall(IOperatorGate.admitGuardians, (_newGuardians, _newNeeded)));
        vm.assertTrue(works == isExpected, "admitGuardians");
        if (!works) return;
        _guardianList = _newGuardians;
        _needed = _newNeeded;
        _newGuardiansAt = 0;
        did(this.admitGuardians.selector);
    }

    // The failsafe

    function announceSweep(uint256 salt) external inTime {
        if (_sweepAt != 0) return;
        _sweepSalt = bytes32(salt % 3);
        bytes32 id = failsafe.hashOperation(address(vault), 0, SWEEP_CALL, 0, _sweepSalt);
        if (failsafe.isOperation(id)) return;
        vm.prank(sweeper);
        failsafe.schedule(address(vault), 0, SWEEP_CALL, 0, _sweepSalt, SWEEP);
        _sweepAt = _clock + SWEEP;
        did(this.announceSweep.selector);
    }

    function vetoSweep(uint256 who) external inTime {
        vote(poolGuardian(who), failsafe.hashOperation(address(vault), 0, SWEEP_CALL, 0, _sweepSalt));
        did(this.vetoSweep.selector);
    }

    function sweep() external inTime {
        uint256 free = gate.uncommitted();
        bool isExpected = _sweepAt != 0 && _clock >= _sweepAt && free > 0;
        _isVaultAtWork = true;
        vm.prank(sweeper);
        (bool works,) = address(failsafe)
            .call(abi.encodeCall(TimelockController.execute, (address(vault), 0, SWEEP_CALL, bytes32(0), _sweepSalt)));
        _isVaultAtWork = false;
        vm.assertTrue(works == isExpected, "sweep");
        if (!works) return;
        swept += free;
        _sweepAt = 0;
        did(this.sweep.selector);
    }

    /// @dev These ways around the gate are closed to everyone.
    function usurp(uint256 who, uint256 amount) external inTime {
        address account = anybody(who);
        Payout[] memory payouts = one(1e9, account, bound(amount, 1, LARGE));
        mustFail(account, address(vault), abi.encodeCall(IVenueVault.commit, ("x", payouts)));
        mustFail(account, address(vault), SWEEP_CALL);
        bytes32 role = failsafe.PROPOSER_ROLE();
        mustFail(account, address(failsafe), abi.encodeWithSignature("grantRole(bytes32,address)", role, account));
        mustFail(account, address(failsafe), abi.encodeCall(TimelockController.updateDelay, (0)));
        bytes memory soon = abi.encodeCall(
            TimelockController.schedule, (address(vault), 0, SWEEP_CALL, bytes32(0), bytes32("x"), SWEEP - 1)
        );
        mustFail(account, address(failsafe), soon);
        if (account != cold) {
            mustFail(account, address(gate), abi.encodeCall(IOperatorGate.announceProposer, (address(0xeeee))));
            mustFail(account, address(gate), abi.encodeCall(IOperatorGate.removeProposer, (proposer(0))));
        }
        if (!isProposerNow(account)) {
            mustFail(account, address(gate), abi.encodeCall(IOperatorGate.propose, ("x", payouts)));
        }
        did(this.usurp.selector);
    }

    // What the invariants look at

    function commits() external view returns (Commit[] memory) {
        return _commits;
    }

    function parts() external view returns (address gate_, address vault_, address failsafe_, address token_) {
        return (address(gate), address(vault), address(failsafe), address(token));
    }

    function proposeAs(address account, Payout[] memory payouts) private {
        bytes32 batchId = bytes32(_batches.length);
        bytes32 id = gate.hashBatch(batchId, payouts);
        Batch storage batch = _batches.push();
        (batch.id, batch.batchId, batch.proposer, batch.proposedAt) = (id, batchId, account, _clock);
        for (uint256 i = 0; i < payouts.length; ++i) {
            batch.payouts.push(payouts[i]);
            batch.total += payouts[i].amount;
        }
        (, bool fits) = fitsFree(batch.total);
        bool isAtOnce = fits && _clock > _pausedUntil;
        bool isExpected = isProposerNow(account) && (!isAtOnce || vaultTakes(batch));
        uint256 free = gate.uncommitted();
        vm.prank(account);
        (bool works,) = address(gate).call(abi.encodeCall(IOperatorGate.propose, (batchId, payouts)));
        vm.assertTrue(works == isExpected, isExpected ? "a proposal was refused" : "a proposal was allowed");
        vm.assertTrue(vault.isBatchCommitted(id) == (works && isAtOnce), "committed at once");
        if (!works) _batches.pop();
        else if (isAtOnce) noteCommit(batch, Commit(_clock, 0, batch.total, free, false, true));
    }

    function noteCommit(Batch storage batch, Commit memory made) private {
        vm.assertTrue(vault.isBatchCommitted(batch.id), "what was executed is committed");
        batch.isCommitted = true;
        committedEver += made.total;
        _commits.push(made);
    }

    function vote(address account, bytes32 id) private {
        bool isExpected = isGuardian(account);
        vm.prank(account);
        (bool works,) = address(gate).call(abi.encodeCall(IOperatorGate.veto, (id)));
        vm.assertTrue(works == isExpected, "veto");
        if (!works) return;
        _votes[id][account] = true;
        uint256 votes = 0;
        for (uint256 i = 0; i < _guardianList.length; ++i) {
            if (_votes[id][_guardianList[i]]) ++votes;
        }
        bool isReplacement = _newGuardiansAt != 0 && id == _newGuardiansId;
        if (votes < (isReplacement ? _guardianList.length - _needed + 1 : _needed)) return;
        _vetoed[id] = true;
        if (id == failsafe.hashOperation(address(vault), 0, SWEEP_CALL, 0, _sweepSalt)) _sweepAt = 0;
    }

    /// @dev The rules once more, in sums over all commitments.
    function allowed(Batch storage batch, uint256 age) private view returns (bool, bool onShort, bool onFree) {
        (bool fitsCap, bool fits) = fitsFree(batch.total);
        if (!fitsCap) return (false, false, false);
        if (age >= LONG) return (true, false, false);
        onShort = age >= SHORT && sumOf(1) + batch.total <= gate.uncommitted() / 10;
        onFree = !onShort && fits;
        return (onShort || onFree, onShort, onFree);
    }

    function fitsFree(uint256 total) private view returns (bool fitsCap, bool fits) {
        fitsCap = sumOf(0) + total <= CAP;
        fits = fitsCap && sumOf(2) + total <= FREE;
    }

    /// @dev The sum of the last epoch: of all commitments (0), on the short delay's allowance (1), on the free one (2).
    function sumOf(uint256 which) private view returns (uint256 sum) {
        for (uint256 i = 0; i < _commits.length; ++i) {
            Commit storage made = _commits[i];
            if (made.at + EPOCH <= _clock) continue;
            if (which == 0 || (which == 1 && made.onShort) || (which == 2 && made.onFree)) sum += made.total;
        }
    }

    function vaultTakes(Batch storage batch) private view returns (bool) {
        if (batch.isCommitted || batch.total > gate.uncommitted()) return false;
        for (uint256 i = 0; i < batch.payouts.length; ++i) {
            if (vault.isPayoutCommitted(batch.payouts[i].id)) return false;
        }
        return true;
    }

    function proposerInOffice(uint256 index) private view returns (address) {
        address[] memory list = gate.proposers();
        return list.length == 0 ? stranger : list[index % list.length];
    }

    function isProposerNow(address account) private view returns (bool) {
        return _isProposer[account] && !_vetoed[gate.proposerId(account)];
    }

    function isGuardian(address account) private view returns (bool) {
        for (uint256 i = 0; i < _guardianList.length; ++i) {
            if (_guardianList[i] == account) return true;
        }
        return false;
    }

    function mustFail(address sender, address target, bytes memory call) private {
        vm.prank(sender);
        (bool works,) = target.call(call);
        vm.assertFalse(works, "what had to fail has worked");
    }

    function did(bytes4 act) private {
        ++done[act];
    }

    /// @dev The two first proposers, and those whom the cold key may add.
    function poolProposer(uint256 index) private pure returns (address) {
        return proposer(index % POOL);
    }

    function poolGuardian(uint256 index) private pure returns (address) {
        return guardian(index % POOL);
    }

    function payee(uint256 index) private pure returns (address) {
        return address(uint160(0xee0 + index % 3));
    }

    function anybody(uint256 index) private view returns (address) {
        address[6] memory all = [cold, sweeper, stranger, proposer(index % 2), guardian(index % GUARDIANS), payee(0)];
        return all[index % 6];
    }

    function mix(uint256 seed, uint256 salt) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, salt)));
    }
}
