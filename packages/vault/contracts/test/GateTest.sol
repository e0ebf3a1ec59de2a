// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {Terms} from "../IOperatorGate.sol";
import {OperatorGate} from "../OperatorGate.sol";
import {Payout} from "../IVenueVault.sol";
import {VenueVault} from "../VenueVault.sol";
import {TestStablecoin} from "./TestStablecoin.sol";
import {vm} from "./Vm.sol";

/// @notice A gate with two proposers and five guardians, two of whom are a veto, and helpers that its tests share.
abstract contract GateTest {
    uint256 internal constant FREE = 100e6;
    uint256 internal constant CAP = 5_000e6;
    uint48 internal constant SHORT = 1 hours;
    uint48 internal constant LONG = 1 days;
    uint48 internal constant EPOCH = 2 days;
    uint48 internal constant CHANGE = 3 days;
    uint48 internal constant SWEEP = 4 days;
    uint256 internal constant GUARDIANS = 5;
    uint256 internal constant VETOES = 2;

    address internal immutable cold = address(0xc01d);
    address internal immutable sweeper = address(0x5eee);
    address internal immutable stranger = address(0x5a5a);

    TestStablecoin internal token;
    OperatorGate internal gate;
    VenueVault internal vault;
    TimelockController internal failsafe;

    function build(TestStablecoin token_) internal {
        token = token_;
        gate = new OperatorGate(terms());
        vault = VenueVault(gate.vault());
        failsafe = TimelockController(payable(gate.failsafe()));
    }

    function terms() internal view returns (Terms memory) {
        return Terms({
            token: address(token),
            cold: cold,
            sweeper: sweeper,
            proposers: members(0xa0, 2),
            guardians: members(0xb0, GUARDIANS),
            vetoes: VETOES,
            freeMax: FREE,
            capMax: CAP,
            epoch: EPOCH,
            shortDelay: SHORT,
            longDelay: LONG,
            changeDelay: CHANGE,
            sweepDelay: SWEEP
        });
    }

    function proposer(uint256 index) internal pure returns (address) {
        return address(uint160(0xa0 + index));
    }

    function guardian(uint256 index) internal pure returns (address) {
        return address(uint160(0xb0 + index));
    }

    /// @dev Ascending addresses, as the gate wants them.
    function members(uint160 first, uint256 count) internal pure returns (address[] memory list) {
        list = new address[](count);
        for (uint256 i = 0; i < count; ++i) {
            list[i] = address(first + uint160(i));
        }
    }

    function one(uint256 id, address account, uint256 amount) internal pure returns (Payout[] memory payouts) {
        payouts = new Payout[](1);
        payouts[0] = Payout(id, account, amount);
    }

    /// @dev The vault's money, without a depositor.
    function fund(uint256 amount) internal {
        token.mint(address(vault), amount);
    }

    function propose(bytes32 batchId, Payout[] memory payouts) internal returns (bytes32) {
        vm.prank(proposer(0));
        return gate.propose(batchId, payouts);
    }

    function vetoBy(uint256 index, bytes32 id) internal {
        vm.prank(guardian(index));
        gate.veto(id);
    }
}
