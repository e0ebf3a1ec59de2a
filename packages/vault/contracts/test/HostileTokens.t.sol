// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IVenueVault} from "../IVenueVault.sol";
import {HostileSuite} from "./HostileSuite.sol";
import {FalseToken, FeeToken, FreezingToken, PhantomToken, ResettingToken, ShrinkingToken, SilentToken} from "./HostileTokens.sol";
import {TestStablecoin} from "./TestStablecoin.sol";
import {vm} from "./Vm.sol";

contract HonestTokenTest is HostileSuite {
    function newToken() internal override returns (TestStablecoin) {
        return new TestStablecoin();
    }
}

contract SilentTokenTest is HostileSuite {
    function newToken() internal override returns (TestStablecoin) {
        return new SilentToken();
    }
}

contract ResettingTokenTest is HostileSuite {
    function newToken() internal override returns (TestStablecoin) {
        return new ResettingToken();
    }
}

contract FeeTokenTest is HostileSuite {
    function newToken() internal override returns (TestStablecoin) {
        return new FeeToken();
    }

    function depositRefusal() internal pure override returns (bytes memory) {
        uint256 arrived = AMOUNT - AMOUNT / 100;
        return abi.encodeWithSelector(IVenueVault.UnexpectedBalance.selector, AMOUNT, 4 * AMOUNT, 4 * AMOUNT + arrived);
    }

    function received(uint256 amount) internal pure override returns (uint256) {
        return amount - amount / 100;
    }
}

contract PhantomTokenTest is HostileSuite {
    function newToken() internal override returns (TestStablecoin) {
        return new PhantomToken();
    }

    function depositRefusal() internal pure override returns (bytes memory) {
        return abi.encodeWithSelector(IVenueVault.UnexpectedBalance.selector, AMOUNT, 4 * AMOUNT, 4 * AMOUNT);
    }
}

contract FalseTokenTest is HostileSuite {
    function newToken() internal override returns (TestStablecoin) {
        return new FalseToken();
    }

    function depositRefusal() internal view override returns (bytes memory) {
        return abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token));
    }

    function payRefusal() internal view override returns (bytes memory) {
        return depositRefusal();
    }
}

/// @notice An issuer that freezes one account, or the vault.
contract FreezingTokenTest is HostileSuite {
    function newToken() internal override returns (TestStablecoin) {
        return new FreezingToken();
    }

    function test_OneFrozenAccountHindersNobodyElse() public {
        FreezingToken(address(token)).freeze(alice);
        bytes memory signature = signClaim(ALICE_KEY, block.timestamp);
        bytes memory refusal = abi.encodeWithSelector(FreezingToken.Frozen.selector, alice);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.claim();
        vm.expectRevert(refusal);
        vault.claimFor(alice, block.timestamp, signature);
        commitOne(3, alice, AMOUNT);
        vm.prank(bob);
        vm.assertEq(vault.claim(), AMOUNT);
        vm.prank(failsafe);
        vm.assertEq(vault.emergencySweep(), AMOUNT);
        vm.assertEq(vault.entitlementOf(alice), 2 * AMOUNT);
        vm.assertEq(balanceOf(address(vault)), 2 * AMOUNT);
    }

    function test_AFrozenFailsafeHindersTheSweepAlone() public {
        FreezingToken(address(token)).freeze(failsafe);
        vm.expectRevert(abi.encodeWithSelector(FreezingToken.Frozen.selector, failsafe));
        vm.prank(failsafe);
        vault.emergencySweep();
        vm.prank(alice);
        vm.assertEq(vault.claim(), AMOUNT);
    }
}

/// @notice A token that takes committed amounts from the vault.
contract ShrinkingTokenTest is HostileSuite {
    function newToken() internal override returns (TestStablecoin) {
        return new ShrinkingToken();
    }

    function shrink() private {
        commitOne(3, stranger, AMOUNT);
        ShrinkingToken(address(token)).halve();
        vm.assertEq(balanceOf(address(vault)), 2 * AMOUNT);
        vm.assertEq(vault.totalCommitted(), 3 * AMOUNT);
    }

    function test_NothingMoreIsCommittedOrSwept() public {
        shrink();
        vm.expectRevert(abi.encodeWithSelector(IVenueVault.InsufficientReserves.selector, 3 * AMOUNT + 1, 2 * AMOUNT));
        vm.prank(operator);
        vault.commit("batch", one(4, alice, 1));
        vm.expectRevert(abi.encodeWithSelector(IVenueVault.NothingToSweep.selector, 2 * AMOUNT, 3 * AMOUNT));
        vm.prank(failsafe);
        vault.emergencySweep();
    }

    function test_WhoClaimsFirstIsPaidAndTheRestIsStillOwed() public {
        shrink();
        vm.prank(bob);
        vault.claim();
        vm.prank(stranger);
        vault.claim();
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, address(vault), 0, 2 * AMOUNT)
        );
        vm.prank(alice);
        vault.claim();
        vm.assertEq(vault.entitlementOf(alice), AMOUNT);
        vm.assertEq(vault.totalCommitted(), AMOUNT);
        token.mint(address(vault), AMOUNT);
        vm.prank(alice);
        vm.assertEq(vault.claim(), AMOUNT);
        vm.assertEq(balanceOf(alice), AMOUNT);
    }
}
