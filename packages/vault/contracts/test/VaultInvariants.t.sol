// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {VenueVault} from "../VenueVault.sol";
import {TestStablecoin} from "./TestStablecoin.sol";
import {VaultHandler} from "./VaultHandler.sol";
import {vm} from "./Vm.sol";

/// @notice Invariants that hold after every act, by any actor and in any order.
contract VaultInvariantsTest {
    /// @dev Forge reads from this which contracts it may call and how.
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    VaultHandler private handler;
    VenueVault private vault;
    TestStablecoin private token;
    address[] private everybody;

    function setUp() public {
        handler = new VaultHandler();
        vault = handler.theVault();
        token = handler.token();
        everybody = handler.everybody();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(handler), acts());
    }

    /// @dev One campaign for all of them: with a single seed, six campaigns would repeat the same acts.
    function invariant_TheBooksHold() external view {
        balanceCoversWhatIsCommitted();
        entitlementsFallOnlyByBeingPaid();
        entitlementsAddUpToTotalCommitted();
        committedAndClaimedAddUpToAllPayouts();
        nobodyButTheNamedIsPaid();
        noncesCountTheSignaturesUsed();
    }

    function balanceCoversWhatIsCommitted() private view {
        vm.assertGe(token.balanceOf(address(vault)), vault.totalCommitted(), "balance covers what is committed");
    }

    /// @dev The handler's books lower an entitlement only when it was paid to its account.
    function entitlementsFallOnlyByBeingPaid() private view {
        for (uint256 i = 0; i < everybody.length; ++i) {
            vm.assertEq(vault.entitlementOf(everybody[i]), handler.owedTo(everybody[i]), "entitlement");
        }
    }

    function entitlementsAddUpToTotalCommitted() private view {
        uint256 sum = 0;
        for (uint256 i = 0; i < everybody.length; ++i) {
            sum += vault.entitlementOf(everybody[i]);
        }
        vm.assertEq(sum, vault.totalCommitted(), "sum of entitlements");
    }

    function committedAndClaimedAddUpToAllPayouts() private view {
        vm.assertEq(vault.totalClaimed(), handler.claimedEver(), "claimed");
        vm.assertEq(vault.totalCommitted() + vault.totalClaimed(), handler.committedEver(), "committed ever");
    }

    function nobodyButTheNamedIsPaid() private view {
        for (uint256 i = 0; i < everybody.length; ++i) {
            vm.assertEq(token.balanceOf(everybody[i]), handler.tokensOf(everybody[i]), "tokens");
        }
    }

    function noncesCountTheSignaturesUsed() private view {
        for (uint256 i = 0; i < everybody.length; ++i) {
            vm.assertEq(vault.nonces(everybody[i]), handler.noncesOf(everybody[i]), "nonce");
        }
    }

    /// @dev An act that never succeeds would prove nothing in the campaign.
    function test_EveryActCanDoWhatItIsFor() external {
        handler.deposit(0, 1000);
        handler.donate(500);
        for (uint256 seed = 0; seed < 20; ++seed) {
            handler.commit(seed, seed);
        }
        handler.commitTooMuch(0, 1);
        handler.commitAgain(0, 1);
        for (uint256 who = 0; who < handler.ACTORS(); ++who) {
            handler.claimFor(who, who + 1);
            handler.replay(who, who + 1);
            handler.forge(who, who + 1);
        }
        handler.deposit(0, 1000);
        handler.commit(1, 4);
        for (uint256 who = 0; who < handler.ACTORS(); ++who) {
            handler.claim(who);
        }
        handler.usurp(1);
        handler.sweep(true);
        bytes4[] memory all = acts();
        for (uint256 i = 0; i < all.length; ++i) {
            vm.assertTrue(handler.done(all[i]) > 0);
        }
    }

    function acts() private view returns (bytes4[] memory all) {
        all = new bytes4[](11);
        all[0] = handler.deposit.selector;
        all[1] = handler.donate.selector;
        all[2] = handler.commit.selector;
        all[3] = handler.commitTooMuch.selector;
        all[4] = handler.commitAgain.selector;
        all[5] = handler.claim.selector;
        all[6] = handler.claimFor.selector;
        all[7] = handler.replay.selector;
        all[8] = handler.forge.selector;
        all[9] = handler.usurp.selector;
        all[10] = handler.sweep.selector;
    }
}
