// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IVenueVault} from "../IVenueVault.sol";
import {VenueVault} from "../VenueVault.sol";
import {HostileSuite} from "./HostileSuite.sol";
import {CallingToken, TransferHook} from "./HostileTokens.sol";
import {TestStablecoin} from "./TestStablecoin.sol";
import {vm} from "./Vm.sol";

/// @notice Holds every role, and acts in the middle of another account's transfer.
contract Reenterer is TransferHook {
    VenueVault private _vault;
    address private _watched;
    bytes private _call;

    uint256 public calls;
    bool public succeeded;
    bytes4 public refusal;
    uint256 public entitlementSeen;
    uint256 public committedSeen;

    function prepare(VenueVault vault, address watched, bytes calldata call) external {
        _vault = vault;
        _watched = watched;
        _call = call;
    }

    function onTransfer() external {
        if (++calls > 1) return;
        entitlementSeen = _vault.entitlementOf(_watched);
        committedSeen = _vault.totalCommitted();
        bytes memory answer;
        (succeeded, answer) = address(_vault).call(_call);
        refusal = bytes4(answer);
    }
}

/// @notice The shared suite with a reentrant token, and each entry point called from within each entry point.
contract ReentrancyTest is HostileSuite {
    Reenterer private attacker;

    function setUp() public override {
        attacker = new Reenterer();
        operator = address(attacker);
        super.setUp();
        attacker.prepare(vault, alice, abi.encodeCall(IVenueVault.emergencySweep, ()));
        CallingToken(address(token)).arm(attacker);
    }

    /// @dev Gives the attacker an entitlement and tokens, so that each of its calls would work by itself.
    function enrich(bytes memory call) private {
        CallingToken(address(token)).arm(TransferHook(address(0)));
        token.mint(address(attacker), AMOUNT);
        vm.prank(address(attacker));
        token.approve(address(vault), AMOUNT);
        vm.prank(operator);
        vault.commit("attacker", one(100, address(attacker), AMOUNT));
        attacker.prepare(vault, alice, call);
    }

    function newToken() internal override returns (TestStablecoin) {
        return new CallingToken();
    }

    function test_EveryWayInIsClosedWhileTheTokenMoves() public {
        for (uint256 outer = 0; outer < 4; ++outer) {
            for (uint256 inner = 0; inner < 5; ++inner) {
                setUp();
                attack(outer, inner);
                vm.assertEq(attacker.calls(), 1, "the token called back");
                vm.assertFalse(attacker.succeeded());
                vm.assertTrue(
                    attacker.refusal() == ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector,
                    "the guard refused"
                );
            }
        }
    }

    /// @dev Each of these calls would work by itself, which shows that the guard refuses it.
    function test_EveryCallOfTheAttackerWorksOutsideATransfer() public {
        for (uint256 inner = 0; inner < 5; ++inner) {
            setUp();
            bytes memory call = innerCall(inner);
            enrich(call);
            vm.prank(address(attacker));
            (bool works,) = address(vault).call(call);
            vm.assertTrue(works);
        }
    }

    function test_TheBooksAreSettledBeforeTheTokenMoves() public {
        for (uint256 outer = 1; outer < 3; ++outer) {
            setUp();
            attack(outer, 0);
            vm.assertEq(attacker.entitlementSeen(), 0);
            vm.assertEq(attacker.committedSeen(), 2 * AMOUNT);
        }
    }

    function attack(uint256 outer, uint256 inner) private {
        bytes memory signature = signClaim(ALICE_KEY, block.timestamp);
        enrich(innerCall(inner));
        CallingToken(address(token)).arm(attacker);
        if (outer == 0) {
            vm.prank(stranger);
            vault.deposit(AMOUNT);
        } else if (outer == 1) {
            vm.prank(alice);
            vault.claim();
        } else if (outer == 2) {
            vault.claimFor(alice, block.timestamp, signature);
        } else {
            vm.prank(failsafe);
            vault.emergencySweep();
        }
    }

    function innerCall(uint256 inner) private view returns (bytes memory) {
        if (inner == 0) return abi.encodeCall(IVenueVault.deposit, (AMOUNT));
        if (inner == 1) return abi.encodeCall(IVenueVault.commit, ("inner", one(200, address(attacker), AMOUNT)));
        if (inner == 2) return abi.encodeCall(IVenueVault.claim, ());
        if (inner == 3) {
            bytes memory signature = signClaim(BOB_KEY, block.timestamp);
            return abi.encodeCall(IVenueVault.claimFor, (bob, block.timestamp, signature));
        }
        return abi.encodeCall(IVenueVault.emergencySweep, ());
    }
}
