// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {VenueVault} from "../VenueVault.sol";
import {TestStablecoin} from "./TestStablecoin.sol";
import {VaultTest} from "./VaultTest.sol";
import {vm} from "./Vm.sol";

/// @notice Holds with any token: each act is carried out completely or changes nothing.
abstract contract HostileSuite is VaultTest {
    uint256 internal constant AMOUNT = 1_000_000;
    TestStablecoin internal token;

    function setUp() public virtual {
        token = newToken();
        vault = new VenueVault(address(token), operator, failsafe);
        token.mint(address(vault), 4 * AMOUNT);
        commitOne(1, alice, AMOUNT);
        commitOne(2, bob, AMOUNT);
        token.mint(stranger, AMOUNT);
        vm.prank(stranger);
        SafeERC20.forceApprove(token, address(vault), AMOUNT);
    }

    function newToken() internal virtual returns (TestStablecoin);

    /// @dev The expected revert of `deposit`; empty if it must work.
    function depositRefusal() internal view virtual returns (bytes memory) {
        return "";
    }

    /// @dev The expected revert of `claim`, `claimFor` and `emergencySweep`; empty if they must work.
    function payRefusal() internal view virtual returns (bytes memory) {
        return "";
    }

    /// @dev The part of a payment that arrives.
    function received(uint256 amount) internal view virtual returns (uint256) {
        return amount;
    }

    function test_DepositWorksOrChangesNothing() public {
        uint256 moved = expectOutcome(depositRefusal()) ? AMOUNT : 0;
        vm.prank(stranger);
        vault.deposit(AMOUNT);
        vm.assertEq(balanceOf(stranger), AMOUNT - moved);
        vm.assertEq(balanceOf(address(vault)), 4 * AMOUNT + moved);
        checkBooks(2 * AMOUNT, 0);
    }

    function test_ClaimWorksOrChangesNothing() public {
        uint256 moved = expectOutcome(payRefusal()) ? AMOUNT : 0;
        vm.prank(alice);
        vault.claim();
        checkPaid(alice, moved);
        vm.assertEq(vault.entitlementOf(alice), AMOUNT - moved);
        checkBooks(2 * AMOUNT - moved, moved);
    }

    function test_ClaimForWorksOrChangesNothing() public {
        bytes memory signature = signClaim(ALICE_KEY, block.timestamp);
        uint256 moved = expectOutcome(payRefusal()) ? AMOUNT : 0;
        vm.prank(stranger);
        vault.claimFor(alice, block.timestamp, signature);
        checkPaid(alice, moved);
        vm.assertEq(vault.entitlementOf(alice), AMOUNT - moved);
        vm.assertEq(vault.nonces(alice), moved / AMOUNT);
        checkBooks(2 * AMOUNT - moved, moved);
    }

    function test_SweepWorksOrChangesNothing() public {
        uint256 moved = expectOutcome(payRefusal()) ? 2 * AMOUNT : 0;
        vm.prank(failsafe);
        vault.emergencySweep();
        checkPaid(failsafe, moved);
        checkBooks(2 * AMOUNT, 0);
    }

    /// @dev True if the next call must work; if not, it must revert with exactly this.
    function expectOutcome(bytes memory refusal) private returns (bool works) {
        works = refusal.length == 0;
        if (!works) vm.expectRevert(refusal);
    }

    function checkPaid(address account, uint256 amount) private view {
        vm.assertEq(balanceOf(account), received(amount));
        vm.assertEq(balanceOf(address(vault)), 4 * AMOUNT - amount);
        vm.assertEq(balanceOf(stranger), AMOUNT);
        vm.assertEq(balanceOf(operator), 0);
    }

    function checkBooks(uint256 committed, uint256 claimed) private view {
        vm.assertEq(vault.totalCommitted(), committed);
        vm.assertEq(vault.totalClaimed(), claimed);
        vm.assertEq(vault.entitlementOf(alice) + vault.entitlementOf(bob), committed);
        vm.assertGe(balanceOf(address(vault)), committed, "balance covers what is committed");
    }
}
