// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {IOperatorGate, Terms} from "../IOperatorGate.sol";
import {IVenueVault, Payout} from "../IVenueVault.sol";
import {OperatorGate} from "../OperatorGate.sol";
import {VenueVault} from "../VenueVault.sol";
import {GateTest} from "./GateTest.sol";
import {TestStablecoin} from "./TestStablecoin.sol";
import {bound, vm} from "./Vm.sol";

/// @notice Every entry point of the gate, every event and every refusal.
contract OperatorGateTest is GateTest {
    address private immutable payee = address(0x9a1e);
    uint256 private start;

    function setUp() public {
        vm.warp(1_800_000_000);
        start = 1_800_000_000;
        build(new TestStablecoin());
        fund(10_000e6);
    }

    // Construction

    function test_TheGateMakesItsVaultAndItsFailsafe() public view {
        vm.assertEq(vault.operator(), address(gate));
        vm.assertEq(vault.failsafe(), address(failsafe));
        vm.assertEq(vault.token(), address(token));
        vm.assertEq(address(failsafe), vm.computeCreateAddress(address(gate), 1));
        vm.assertEq(address(vault), vm.computeCreateAddress(address(gate), 2));
        vm.assertEq(gate.proposers().length, 2);
        vm.assertEq(gate.guardians()[4], guardian(4));
        vm.assertEq(gate.vetoes(), 2);
        vm.assertEq(gate.expiry(), 4 days);
        vm.assertEq(gate.uncommitted(), 10_000e6);
    }

    function test_TheFailsafeObeysItsOwnerAndTheVetoAndNobodyElse() public view {
        vm.assertEq(failsafe.getMinDelay(), SWEEP);
        vm.assertTrue(failsafe.hasRole(failsafe.PROPOSER_ROLE(), sweeper));
        vm.assertTrue(failsafe.hasRole(failsafe.EXECUTOR_ROLE(), sweeper));
        vm.assertTrue(failsafe.hasRole(failsafe.CANCELLER_ROLE(), address(gate)));
        vm.assertFalse(failsafe.hasRole(failsafe.PROPOSER_ROLE(), address(gate)));
        vm.assertFalse(failsafe.hasRole(failsafe.EXECUTOR_ROLE(), address(0)));
        vm.assertFalse(failsafe.hasRole(failsafe.DEFAULT_ADMIN_ROLE(), address(gate)));
        vm.assertFalse(failsafe.hasRole(failsafe.DEFAULT_ADMIN_ROLE(), sweeper));
    }

    function test_ConstructorRefusesTermsThatContradictEachOther() public {
        for (uint256 wrong = 0; wrong < 11; ++wrong) {
            Terms memory given = terms();
            if (wrong == 0) given.cold = address(0);
            if (wrong == 1) given.sweeper = address(0);
            if (wrong == 2) given.freeMax = given.capMax + 1;
            if (wrong == 3) (given.capMax, given.freeMax) = (0, 0);
            if (wrong == 4) given.shortDelay = 0;
            if (wrong == 5) given.shortDelay = given.longDelay;
            if (wrong == 6) given.changeDelay = given.longDelay;
            if (wrong == 7) given.sweepDelay = given.longDelay;
            if (wrong == 8) given.epoch = given.longDelay - 1;
            if (wrong == 9) given.changeDelay = 61 days;
            if (wrong == 10) given.capMax = uint256(type(uint208).max) + 1;
            vm.expectRevert(IOperatorGate.InvalidTerms.selector);
            new OperatorGate(given);
        }
    }

    function test_ConstructorRefusesMembersThatDoNotFit() public {
        for (uint256 wrong = 0; wrong < 7; ++wrong) {
            Terms memory given = terms();
            if (wrong == 0) given.proposers = members(1, 0);
            if (wrong == 1) given.guardians = members(1, 33);
            if (wrong == 2) given.guardians[1] = given.guardians[0];
            if (wrong == 3) given.proposers[0] = address(0xfff);
            if (wrong == 4) given.guardians[0] = address(0);
            if (wrong == 5) given.vetoes = 0;
            if (wrong == 6) given.vetoes = 4;
            vm.expectRevert(IOperatorGate.InvalidMembers.selector);
            new OperatorGate(given);
        }
    }

    // Proposals

    function test_ASmallBatchIsCommittedAtOnce() public {
        Payout[] memory payouts = one(1, payee, FREE);
        bytes32 id = gate.hashBatch("a", payouts);
        vm.expectEmit(address(gate));
        emit IOperatorGate.BatchProposed(id, proposer(0), "a", FREE, payouts);
        vm.expectEmit(address(gate));
        emit IOperatorGate.BatchExecuted(id, FREE, 0);
        propose("a", payouts);
        vm.assertEq(vault.entitlementOf(payee), FREE);
        vm.assertTrue(vault.isBatchCommitted(id));
        (uint256 free, uint256 short, uint256 all) = gate.usage();
        vm.assertEq(free, FREE);
        vm.assertEq(short, 0);
        vm.assertEq(all, FREE);
    }

    function test_SplittingGainsNothing() public {
        propose("a", one(1, payee, FREE));
        propose("b", one(2, payee, 1));
        vm.assertEq(vault.entitlementOf(payee), FREE);
        vm.warp(start + EPOCH - 1);
        propose("c", one(3, payee, 1));
        vm.assertEq(vault.entitlementOf(payee), FREE);
        vm.warp(start + EPOCH);
        propose("d", one(4, payee, 1));
        vm.assertEq(vault.entitlementOf(payee), FREE + 1);
    }

    function test_ATenthWaitsForTheShortDelay() public {
        Payout[] memory payouts = one(1, payee, 1_000e6);
        bytes32 id = propose("a", payouts);
        vm.assertEq(vault.entitlementOf(payee), 0);
        vm.warp(start + SHORT - 1);
        refuse("a", payouts, abi.encodeWithSelector(IOperatorGate.NotYet.selector, id, 1_000e6, SHORT - 1));
        vm.warp(start + SHORT);
        vm.prank(stranger);
        gate.execute("a", payouts);
        vm.assertEq(vault.entitlementOf(payee), 1_000e6);
    }

    function test_MoreThanATenthWaitsForTheLongDelay() public {
        Payout[] memory payouts = one(1, payee, 1_000e6 + 1);
        bytes32 id = propose("a", payouts);
        vm.warp(start + LONG - 1);
        refuse("a", payouts, abi.encodeWithSelector(IOperatorGate.NotYet.selector, id, 1_000e6 + 1, LONG - 1));
        vm.warp(start + LONG);
        gate.execute("a", payouts);
        vm.assertEq(vault.entitlementOf(payee), 1_000e6 + 1);
    }

    function test_TwoTenthsDoNotBothTakeTheShortDelay() public {
        propose("a", one(1, payee, 800e6));
        bytes32 id = propose("b", one(2, payee, 800e6));
        vm.warp(start + SHORT);
        gate.execute("b", one(2, payee, 800e6));
        id = gate.hashBatch("a", one(1, payee, 800e6));
        refuse("a", one(1, payee, 800e6), abi.encodeWithSelector(IOperatorGate.NotYet.selector, id, 800e6, SHORT));
        vm.warp(start + LONG);
        gate.execute("a", one(1, payee, 800e6));
    }

    function test_TheTenthIsThatOfTheMomentOfExecution() public {
        Payout[] memory payouts = one(1, payee, 1_000e6);
        propose("a", payouts);
        vm.warp(start + 1);
        propose("b", one(2, payee, 1));
        vm.warp(start + SHORT);
        bytes32 id = gate.hashBatch("a", payouts);
        refuse("a", payouts, abi.encodeWithSelector(IOperatorGate.NotYet.selector, id, 1_000e6, SHORT));
    }

    function test_NoEpochExceedsItsCapAtAnyDelay() public {
        propose("a", one(1, payee, CAP - 1));
        propose("b", one(2, payee, 2));
        bytes32 id = propose("c", one(3, payee, FREE - 2));
        vm.assertEq(vault.entitlementOf(payee), FREE);
        vm.warp(start + LONG);
        id = gate.hashBatch("a", one(1, payee, CAP - 1));
        refuse("a", one(1, payee, CAP - 1), abi.encodeWithSelector(IOperatorGate.NotYet.selector, id, CAP - 1, LONG));
        vm.warp(start + EPOCH);
        gate.execute("a", one(1, payee, CAP - 1));
        // What the cap refuses is not charged to the free allowance either.
        propose("d", one(4, payee, 2));
        (uint256 free,, uint256 all) = gate.usage();
        vm.assertEq(free, 0);
        vm.assertEq(all, CAP - 1);
    }

    function testFuzz_NothingFitsThatIsLargerThanTheCap(uint128 excess, uint32 time) public {
        uint256 total = CAP + bound(excess, 1, type(uint96).max);
        fund(total);
        propose("a", one(1, payee, total));
        vm.warp(start + time);
        (bool works,) = address(gate).call(abi.encodeCall(IOperatorGate.execute, ("a", one(1, payee, total))));
        vm.assertFalse(works);
    }

    function test_OnlyAProposerProposes() public {
        address[5] memory others = [cold, sweeper, stranger, guardian(0), address(vault)];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IOperatorGate.NotProposer.selector, others[i]));
            vm.prank(others[i]);
            gate.propose("a", one(1, payee, 1));
        }
    }

    function test_ABatchIsProposedOnceAndExecutedOnce() public {
        Payout[] memory payouts = one(1, payee, 200e6);
        bytes32 id = propose("a", payouts);
        vm.expectRevert(abi.encodeWithSelector(IOperatorGate.AlreadyProposed.selector, id));
        vm.prank(proposer(1));
        gate.propose("a", payouts);
        vm.warp(start + SHORT);
        gate.execute("a", payouts);
        refuse("a", payouts, abi.encodeWithSelector(IVenueVault.BatchAlreadyCommitted.selector, id));
    }

    function test_ABatchIsExecutedAsItWasProposed() public {
        propose("a", one(1, payee, 200e6));
        vm.warp(start + LONG);
        Payout[] memory other = one(1, stranger, 200e6);
        refuse("a", other, abi.encodeWithSelector(IOperatorGate.NotProposed.selector, gate.hashBatch("a", other)));
        other = one(1, payee, 200e6);
        refuse("b", other, abi.encodeWithSelector(IOperatorGate.NotProposed.selector, gate.hashBatch("b", other)));
    }

    function test_ABatchExpires() public {
        Payout[] memory payouts = one(1, payee, 200e6);
        bytes32 id = propose("a", payouts);
        vm.warp(start + 4 * LONG + 1);
        refuse("a", payouts, abi.encodeWithSelector(IOperatorGate.BatchExpired.selector, id, start + 4 * LONG));
        vm.warp(start + 4 * LONG);
        gate.execute("a", payouts);
    }

    function test_WhatTheVaultRefusesIsNotCharged() public {
        propose("a", one(1, payee, 1e6));
        vm.expectRevert(abi.encodeWithSelector(IVenueVault.PayoutAlreadyCommitted.selector, 1));
        vm.prank(proposer(1));
        gate.propose("b", one(1, stranger, 1e6));
        (uint256 free,,) = gate.usage();
        vm.assertEq(free, 1e6);
    }

    // Vetoes

    function test_EnoughGuardiansVetoABatch() public {
        Payout[] memory payouts = one(1, payee, 200e6);
        bytes32 id = propose("a", payouts);
        vm.expectEmit(address(gate));
        emit IOperatorGate.VetoVoted(id, guardian(0), 1);
        vetoBy(0, id);
        vetoBy(0, id);
        vm.assertEq(gate.votesAgainst(id), 1);
        vm.assertFalse(gate.isVetoed(id));
        vm.expectEmit(address(gate));
        emit IOperatorGate.Vetoed(id);
        vetoBy(3, id);
        vm.warp(start + LONG);
        refuse("a", payouts, abi.encodeWithSelector(IOperatorGate.VetoedByGuardians.selector, id));
    }

    function test_AVetoInAdvanceHoldsEvenASmallBatch() public {
        Payout[] memory payouts = one(1, payee, 1);
        bytes32 id = gate.hashBatch("a", payouts);
        vetoBy(0, id);
        vetoBy(1, id);
        propose("a", payouts);
        vm.assertEq(vault.entitlementOf(payee), 0);
    }

    function test_OnlyGuardiansVetoAndPause() public {
        address[5] memory others = [cold, sweeper, stranger, proposer(0), address(vault)];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IOperatorGate.NotGuardian.selector, others[i]));
            vm.prank(others[i]);
            gate.veto("a");
            vm.expectRevert(abi.encodeWithSelector(IOperatorGate.NotGuardian.selector, others[i]));
            vm.prank(others[i]);
            gate.pause();
        }
    }

    function test_AVetoedProposerAndItsProposalsAreVoid() public {
        Payout[] memory payouts = one(1, payee, 200e6);
        propose("a", payouts);
        bytes32 id = gate.proposerId(proposer(0));
        vetoBy(1, id);
        vetoBy(2, id);
        vm.warp(start + LONG);
        refuse("a", payouts, abi.encodeWithSelector(IOperatorGate.NotProposer.selector, proposer(0)));
        vm.expectRevert(abi.encodeWithSelector(IOperatorGate.NotProposer.selector, proposer(0)));
        propose("b", payouts);
    }

    function test_APauseHoldsForADayAndComesAgainAfterTen() public {
        Payout[] memory payouts = one(1, payee, 200e6);
        propose("a", payouts);
        vm.expectEmit(address(gate));
        emit IOperatorGate.Paused(guardian(4), start + LONG);
        vm.prank(guardian(4));
        gate.pause();
        propose("b", one(2, payee, 1));
        vm.assertEq(vault.entitlementOf(payee), 0);
        vm.warp(start + LONG);
        refuse("a", payouts, abi.encodeWithSelector(IOperatorGate.CommitmentsPaused.selector, start + LONG));
        vm.warp(start + LONG + 1);
        gate.execute("a", payouts);
        vm.expectRevert(abi.encodeWithSelector(IOperatorGate.PausedBefore.selector, start + 10 * LONG));
        vm.prank(guardian(4));
        gate.pause();
        vm.warp(start + 10 * LONG);
        vm.prank(guardian(4));
        gate.pause();
    }

    // Rotation

    function test_AProposerIsAdmittedAfterItsDelay() public {
        vm.prank(cold);
        gate.announceProposer(stranger);
        (address account, uint256 readyAt) = gate.announcedProposer();
        vm.assertEq(account, stranger);
        vm.assertEq(readyAt, start + CHANGE);
        vm.warp(start + CHANGE - 1);
        vm.expectRevert(IOperatorGate.NotAnnounced.selector);
        gate.admitProposer();
        vm.warp(start + CHANGE);
        gate.admitProposer();
        vm.prank(stranger);
        gate.propose("a", one(1, payee, 1));
        vm.expectRevert(IOperatorGate.NotAnnounced.selector);
        gate.admitProposer();
    }

    function test_AVetoedProposerIsNotAdmitted() public {
        vm.prank(cold);
        gate.announceProposer(stranger);
        bytes32 id = gate.proposerId(stranger);
        vetoBy(0, id);
        vetoBy(1, id);
        vm.warp(start + CHANGE);
        vm.expectRevert(abi.encodeWithSelector(IOperatorGate.VetoedByGuardians.selector, id));
        gate.admitProposer();
        vm.expectRevert(abi.encodeWithSelector(IOperatorGate.KnownProposer.selector, stranger));
        vm.prank(cold);
        gate.announceProposer(stranger);
    }

    function test_ARemovedProposerNeverComesBackNorDoItsProposals() public {
        Payout[] memory payouts = one(1, payee, 200e6);
        propose("a", payouts);
        vm.prank(cold);
        gate.removeProposer(proposer(0));
        vm.warp(start + LONG);
        refuse("a", payouts, abi.encodeWithSelector(IOperatorGate.NotProposer.selector, proposer(0)));
        vm.expectRevert(abi.encodeWithSelector(IOperatorGate.KnownProposer.selector, proposer(0)));
        vm.prank(cold);
        gate.announceProposer(proposer(0));
        vm.expectRevert(abi.encodeWithSelector(IOperatorGate.NotProposer.selector, proposer(0)));
        vm.prank(cold);
        gate.removeProposer(proposer(0));
        vm.assertEq(gate.proposers().length, 1);
    }

    function test_OnlyTheColdKeyRotates() public {
        address[5] memory others = [proposer(0), sweeper, stranger, guardian(0), address(failsafe)];
        bytes[3] memory calls = [
            abi.encodeCall(IOperatorGate.announceProposer, (stranger)),
            abi.encodeCall(IOperatorGate.removeProposer, (proposer(1))),
            abi.encodeCall(IOperatorGate.announceGuardians, (members(1, 3), 1))
        ];
        for (uint256 i = 0; i < others.length; ++i) {
            for (uint256 j = 0; j < calls.length; ++j) {
                vm.prank(others[i]);
                (bool works, bytes memory answer) = address(gate).call(calls[j]);
                vm.assertFalse(works);
                vm.assertTrue(bytes4(answer) == IOperatorGate.NotCold.selector);
            }
        }
    }

    function test_GuardiansAreReplacedAfterTheirDelay() public {
        announceGuardians(members(0xd0, 3), 2);
        vm.warp(start + CHANGE - 1);
        vm.expectRevert(IOperatorGate.NotAnnounced.selector);
        gate.admitGuardians(members(0xd0, 3), 2);
        vm.warp(start + CHANGE);
        vm.expectRevert(IOperatorGate.NotAnnounced.selector);
        gate.admitGuardians(members(0xd1, 3), 2);
        vm.expectRevert(IOperatorGate.NotAnnounced.selector);
        gate.admitGuardians(members(0xd0, 3), 1);
        gate.admitGuardians(members(0xd0, 3), 2);
        vm.assertEq(gate.guardians().length, 3);
        vm.expectRevert(abi.encodeWithSelector(IOperatorGate.NotGuardian.selector, guardian(0)));
        vetoBy(0, "a");
    }

    function test_StolenGuardiansCannotVetoTheirReplacement() public {
        bytes32 id = announceGuardians(members(0xd0, 3), 2);
        for (uint256 i = 0; i < GUARDIANS - VETOES; ++i) {
            vetoBy(i, id);
        }
        vm.warp(start + CHANGE);
        gate.admitGuardians(members(0xd0, 3), 2);
    }

    function test_AllButTheStolenGuardiansVetoTheirReplacement() public {
        bytes32 id = announceGuardians(members(0xd0, 3), 2);
        for (uint256 i = 0; i <= GUARDIANS - VETOES; ++i) {
            vetoBy(i, id);
        }
        vm.warp(start + CHANGE);
        vm.expectRevert(abi.encodeWithSelector(IOperatorGate.VetoedByGuardians.selector, id));
        gate.admitGuardians(members(0xd0, 3), 2);
    }

    function test_VotesInAdvanceDoNotVetoReplacements() public {
        // The id that the announcement below will have.
        bytes32 id = keccak256(abi.encode("guardians", 1, members(0xd0, 3), 2));
        vetoBy(0, id);
        vetoBy(1, id);
        vm.assertTrue(gate.isVetoed(id));
        announceGuardians(members(0xd0, 3), 2);
        (bytes32 announced,) = gate.announcedGuardians();
        vm.assertTrue(announced == id);
        vm.warp(start + CHANGE);
        gate.admitGuardians(members(0xd0, 3), 2);
    }

    function test_ANewAnnouncementStartsItsDelayAgain() public {
        announceGuardians(members(0xd0, 3), 2);
        vm.warp(start + CHANGE);
        announceGuardians(members(0xd0, 3), 2);
        vm.expectRevert(IOperatorGate.NotAnnounced.selector);
        gate.admitGuardians(members(0xd0, 3), 2);
    }

    function test_VotesOfFormerGuardiansDoNotCount() public {
        Payout[] memory payouts = one(1, payee, 200e6);
        announceGuardians(members(0xb1, 3), 2);
        vm.warp(start + CHANGE);
        bytes32 id = propose("a", payouts);
        vetoBy(0, id);
        gate.admitGuardians(members(0xb1, 3), 2);
        vetoBy(1, id);
        vm.assertFalse(gate.isVetoed(id));
        vm.warp(start + CHANGE + SHORT);
        gate.execute("a", payouts);
    }

    // The sweep

    function test_TheSweepNeedsItsOwnerAndNotice() public {
        bytes memory sweep = abi.encodeCall(IVenueVault.emergencySweep, ());
        vm.prank(sweeper);
        failsafe.schedule(address(vault), 0, sweep, 0, 0, SWEEP);
        vm.warp(start + SWEEP - 1);
        vm.prank(sweeper);
        (bool works,) = address(failsafe)
            .call(abi.encodeCall(TimelockController.execute, (address(vault), 0, sweep, bytes32(0), bytes32(0))));
        vm.assertFalse(works);
        vm.warp(start + SWEEP);
        vm.prank(sweeper);
        failsafe.execute(address(vault), 0, sweep, 0, 0);
        vm.assertEq(token.balanceOf(address(failsafe)), 10_000e6);
    }

    function test_NobodySweepsDirectly() public {
        address[6] memory others = [proposer(0), sweeper, stranger, guardian(0), cold, address(this)];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IVenueVault.NotSweeper.selector, others[i]));
            vm.prank(others[i]);
            vault.emergencySweep();
        }
    }

    function test_GuardiansVetoASweepAsOftenAsItIsAnnounced() public {
        bytes memory sweep = abi.encodeCall(IVenueVault.emergencySweep, ());
        bytes32 id = failsafe.hashOperation(address(vault), 0, sweep, 0, 0);
        for (uint256 round = 0; round < 3; ++round) {
            vm.prank(sweeper);
            failsafe.schedule(address(vault), 0, sweep, 0, 0, SWEEP);
            vm.assertTrue(failsafe.isOperationPending(id));
            vetoBy(round, id);
            if (round == 0) vetoBy(4, id);
            vm.assertFalse(failsafe.isOperationPending(id));
        }
    }

    function test_GuardiansVetoALossOfTheirVeto() public {
        bytes32 role = failsafe.CANCELLER_ROLE();
        bytes memory call = abi.encodeCall(IAccessControl.revokeRole, (role, address(gate)));
        bytes32 id = failsafe.hashOperation(address(failsafe), 0, call, 0, 0);
        vm.prank(sweeper);
        failsafe.schedule(address(failsafe), 0, call, 0, 0, SWEEP);
        vetoBy(0, id);
        vetoBy(1, id);
        vm.assertFalse(failsafe.isOperation(id));
    }

    function refuse(bytes32 batchId, Payout[] memory payouts, bytes memory reason) private {
        vm.expectRevert(reason);
        gate.execute(batchId, payouts);
    }

    function announceGuardians(address[] memory list, uint256 needed) private returns (bytes32 id) {
        vm.prank(cold);
        gate.announceGuardians(list, needed);
        (id,) = gate.announcedGuardians();
    }
}
