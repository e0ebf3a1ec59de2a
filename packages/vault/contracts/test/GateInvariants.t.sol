// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {OperatorGate} from "../OperatorGate.sol";
import {VenueVault} from "../VenueVault.sol";
import {GateHandler} from "./GateHandler.sol";
import {GateTest} from "./GateTest.sol";
import {TestStablecoin} from "./TestStablecoin.sol";
import {vm} from "./Vm.sol";

/// @notice Nothing leaves without delay, veto or cap being kept, no matter who holds which keys and in which order.
contract GateInvariantsTest is GateTest {
    /// @dev Forge reads from this which contracts it may call and how.
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    GateHandler private handler;

    function setUp() public {
        handler = new GateHandler();
        (address gate_, address vault_,, address token_) = handler.parts();
        gate = OperatorGate(gate_);
        vault = VenueVault(vault_);
        token = TestStablecoin(token_);
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(handler), acts());
    }

    /// forge-config: default.invariant.depth = 160
    /// @dev The handler asserts what each act refuses and allows; here are the sums that follow from it.
    function invariant_NothingLeavesFasterThanAllowed() external view {
        GateHandler.Commit[] memory commits = handler.commits();
        for (uint256 last = 0; last < commits.length; ++last) {
            boundsHoldUpTo(commits, last);
        }
        everyOutflowIsInTheBooks();
    }

    /// @dev Without the gate's own books: only times, amounts and the vault's balance of each moment.
    function boundsHoldUpTo(GateHandler.Commit[] memory commits, uint256 last) private pure {
        uint256 all = 0;
        uint256 soon = 0;
        uint256 sooner = 0;
        uint256 tenth = 0;
        for (uint256 i = 0; i <= last; ++i) {
            GateHandler.Commit memory made = commits[i];
            if (made.at + EPOCH <= commits[last].at) continue;
            all += made.total;
            if (made.age < LONG) soon += made.total;
            if (made.age < SHORT) sooner += made.total;
            if (made.uncommitted / 10 > tenth) tenth = made.uncommitted / 10;
        }
        vm.assertGe(CAP, all, "the cap of an epoch");
        vm.assertGe(FREE + tenth, soon, "what left before the long delay");
        vm.assertGe(FREE, sooner, "what left before the short delay");
    }

    function everyOutflowIsInTheBooks() private view {
        vm.assertEq(vault.totalCommitted() + vault.totalClaimed(), handler.committedEver(), "committed ever");
        vm.assertEq(vault.totalClaimed(), handler.claimedEver(), "claimed ever");
        uint256 outflow = handler.claimedEver() + handler.swept();
        vm.assertEq(token.balanceOf(address(vault)), handler.cameIn() - outflow, "balance");
        vm.assertEq(token.balanceOf(address(gate)), 0, "the gate holds nothing");
    }

    /// @dev An act that never succeeds would prove nothing in the campaign.
    function test_EveryActCanDoWhatItIsFor() external {
        for (uint256 i = 0; i < 5; ++i) {
            handler.deposit(10_000e6 - 1);
        }
        handler.propose(0, 2, 1);
        handler.propose(1, 2, 2);
        handler.propose(2, 1, 2);
        handler.proposeAgain(1, 1);
        handler.executeForged(1, 1);
        handler.announceProposer(3);
        handler.announceGuardians(2, 5);
        handler.announceSweep(1);
        handler.vetoSweep(0);
        handler.announceSweep(2);
        handler.wait(SHORT, 1);
        for (uint256 index = 0; index < 4; ++index) {
            handler.execute(index, 2, 5);
        }
        for (uint256 who = 0; who < 3; ++who) {
            handler.claim(who);
        }
        handler.vetoBatch(1, 2);
        handler.vetoProposer(1, 0, 0);
        handler.vetoGuardians(1);
        handler.pause(3, 0);
        handler.wait(CHANGE, 5);
        handler.wait(LONG, 4);
        handler.admitProposer(1);
        handler.admitGuardians(1);
        handler.removeProposer(1, 0);
        handler.usurp(1, 1);
        handler.sweep();
        bytes4[] memory all = acts();
        for (uint256 i = 0; i < all.length; ++i) {
            vm.assertTrue(handler.done(all[i]) > 0);
        }
        vm.assertTrue(handler.calledBack() > 0);
    }

    function acts() private view returns (bytes4[] memory all) {
        all = new bytes4[](20);
        all[0] = handler.deposit.selector;
        all[1] = handler.claim.selector;
        all[2] = handler.wait.selector;
        all[3] = handler.propose.selector;
        all[4] = handler.proposeAgain.selector;
        all[5] = handler.execute.selector;
        all[6] = handler.executeForged.selector;
        all[7] = handler.vetoBatch.selector;
        all[8] = handler.vetoProposer.selector;
        all[9] = handler.vetoGuardians.selector;
        all[10] = handler.pause.selector;
        all[11] = handler.announceProposer.selector;
        all[12] = handler.admitProposer.selector;
        all[13] = handler.removeProposer.selector;
        all[14] = handler.announceGuardians.selector;
        all[15] = handler.admitGuardians.selector;
        all[16] = handler.announceSweep.selector;
        all[17] = handler.vetoSweep.selector;
        all[18] = handler.sweep.selector;
        all[19] = handler.usurp.selector;
    }
}
