// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IVenueVault, Payout} from "../IVenueVault.sol";
import {VenueVault} from "../VenueVault.sol";
import {TestStablecoin} from "./TestStablecoin.sol";
import {VaultTest} from "./VaultTest.sol";
import {bound, vm} from "./Vm.sol";

contract EighteenDecimals is ERC20("Eighteen", "E18") {}

/// @notice Every entry point of the vault, every event and every refusal, with a well-behaved token.
contract VenueVaultTest is VaultTest {
    uint256 private constant CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
    TestStablecoin private token;

    function setUp() public {
        token = new TestStablecoin();
        vault = new VenueVault(address(token), operator, failsafe);
    }

    // Construction

    function test_ConstructorKeepsTheRoles() public view {
        vm.assertEq(vault.token(), address(token));
        vm.assertEq(vault.operator(), operator);
        vm.assertEq(vault.failsafe(), failsafe);
        vm.assertEq(vault.totalCommitted(), 0);
        vm.assertEq(vault.totalClaimed(), 0);
    }

    function test_ConstructorNamesTheDomain() public view {
        (, string memory name, string memory version, uint256 chainId, address verifier,,) = vault.eip712Domain();
        vm.assertEq(name, "Venue Vault");
        vm.assertEq(version, "1");
        vm.assertEq(chainId, block.chainid);
        vm.assertEq(verifier, address(vault));
    }

    function test_ConstructorRefusesZeroAddresses() public {
        refuseAddresses(address(0), operator, failsafe);
        refuseAddresses(address(token), address(0), failsafe);
        refuseAddresses(address(token), operator, address(0));
    }

    function test_ConstructorRefusesOneAddressInTwoRoles() public {
        refuseAddresses(address(token), operator, operator);
        refuseAddresses(address(token), address(token), failsafe);
        refuseAddresses(address(token), operator, address(token));
    }

    function test_ConstructorRefusesTheVaultItselfInARole() public {
        refuseAddresses(address(token), nextContract(), failsafe);
        refuseAddresses(address(token), operator, nextContract());
    }

    function test_ConstructorRefusesOtherDecimals() public {
        address other = address(new EighteenDecimals());
        vm.expectRevert(abi.encodeWithSelector(IVenueVault.UnsupportedDecimals.selector, 18));
        new VenueVault(other, operator, failsafe);
    }

    function test_ConstructorRefusesATokenThatIsNoContract() public {
        vm.expectRevert(bytes(""));
        new VenueVault(stranger, operator, failsafe);
    }

    // Deposits

    function test_DepositMovesTokensAndSaysSo() public {
        give(alice, 5_000_000);
        expectEvent();
        emit IVenueVault.Deposited(alice, 5_000_000);
        vm.prank(alice);
        vault.deposit(5_000_000);
        vm.assertEq(token.balanceOf(address(vault)), 5_000_000);
        vm.assertEq(token.balanceOf(alice), 0);
        vm.assertEq(vault.entitlementOf(alice), 0);
        vm.assertEq(vault.totalCommitted(), 0);
    }

    function test_DepositRefusesNothing() public {
        vm.expectRevert(IVenueVault.ZeroDeposit.selector);
        vault.deposit(0);
    }

    function test_DepositRefusesWhatIsNotApproved() public {
        token.mint(alice, 10);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(vault), 0, 10));
        vm.prank(alice);
        vault.deposit(10);
    }

    function testFuzz_DepositsAddUp(uint128 first, uint128 second) public {
        vm.assume(first > 0 && second > 0);
        deposit(alice, first);
        deposit(bob, second);
        vm.assertEq(token.balanceOf(address(vault)), uint256(first) + second);
    }

    // Commits

    function test_CommitReservesAndSaysSo() public {
        deposit(alice, 100);
        Payout[] memory payouts = new Payout[](3);
        payouts[0] = Payout(7, alice, 10);
        payouts[1] = Payout(8, bob, 20);
        payouts[2] = Payout(9, alice, 30);
        for (uint256 i = 0; i < 3; ++i) {
            expectEvent();
            emit IVenueVault.PayoutCommitted(payouts[i].id, payouts[i].account, payouts[i].amount);
        }
        expectEvent();
        emit IVenueVault.BatchCommitted("batch", 3, 60);
        vm.prank(operator);
        vault.commit("batch", payouts);
        vm.assertEq(vault.entitlementOf(alice), 40);
        vm.assertEq(vault.entitlementOf(bob), 20);
        vm.assertEq(vault.totalCommitted(), 60);
        vm.assertEq(vault.totalClaimed(), 0);
        vm.assertTrue(vault.isBatchCommitted("batch"));
        vm.assertFalse(vault.isBatchCommitted("other"));
        vm.assertFalse(vault.isPayoutCommitted(6));
        for (uint256 id = 7; id <= 9; ++id) {
            vm.assertTrue(vault.isPayoutCommitted(id));
        }
        vm.assertFalse(vault.isPayoutCommitted(10));
        vm.assertEq(token.balanceOf(address(vault)), 100);
    }

    function test_CommitMayReserveTheLastUnitAndNotOneMore() public {
        deposit(alice, 100);
        commitOne(1, alice, 60);
        refuseCommit(one(2, bob, 41), abi.encodeWithSelector(IVenueVault.InsufficientReserves.selector, 101, 100));
        commitOne(2, bob, 40);
        refuseCommit(one(3, bob, 1), abi.encodeWithSelector(IVenueVault.InsufficientReserves.selector, 101, 100));
        vm.assertEq(vault.totalCommitted(), 100);
    }

    function test_CommitIsForTheOperatorAlone() public {
        deposit(alice, 100);
        address[4] memory others = [alice, failsafe, stranger, address(this)];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IVenueVault.NotOperator.selector, others[i]));
            vm.prank(others[i]);
            vault.commit("batch", one(1, others[i], 1));
        }
    }

    function test_CommitRefusesAnEmptyBatch() public {
        vm.expectRevert(abi.encodeWithSelector(IVenueVault.EmptyBatch.selector, bytes32("batch")));
        vm.prank(operator);
        vault.commit("batch", new Payout[](0));
    }

    function test_CommitTakesABatchOnce() public {
        deposit(alice, 100);
        vm.prank(operator);
        vault.commit("batch", one(1, alice, 10));
        bytes memory refusal = abi.encodeWithSelector(IVenueVault.BatchAlreadyCommitted.selector, bytes32("batch"));
        vm.expectRevert(refusal);
        vm.prank(operator);
        vault.commit("batch", one(1, alice, 10));
        vm.expectRevert(refusal);
        vm.prank(operator);
        vault.commit("batch", one(2, bob, 10));
        vm.assertEq(vault.totalCommitted(), 10);
    }

    function test_CommitTakesAPayoutOnceAlsoAfterItsClaim() public {
        deposit(alice, 100);
        commitOne(1, alice, 10);
        bytes memory refusal = abi.encodeWithSelector(IVenueVault.PayoutAlreadyCommitted.selector, 1);
        refuseCommit(one(1, alice, 10), refusal);
        refuseCommit(one(1, bob, 20), refusal);
        vm.prank(alice);
        vault.claim();
        refuseCommit(one(1, alice, 10), refusal);
    }

    function test_CommitTakesAPayoutOnceWithinABatch() public {
        deposit(alice, 100);
        Payout[] memory payouts = new Payout[](2);
        payouts[0] = Payout(5, alice, 1);
        payouts[1] = Payout(5, bob, 1);
        refuseCommit(payouts, abi.encodeWithSelector(IVenueVault.PayoutAlreadyCommitted.selector, 5));
        vm.assertFalse(vault.isPayoutCommitted(5));
    }

    function test_CommitRefusesPayeesThatCannotClaim() public {
        deposit(alice, 100);
        refuseCommit(one(1, address(0), 1), abi.encodeWithSelector(IVenueVault.InvalidPayee.selector, 1, address(0)));
        refuseCommit(
            one(2, address(vault), 1), abi.encodeWithSelector(IVenueVault.InvalidPayee.selector, 2, address(vault))
        );
    }

    function test_CommitRefusesAPayoutOfNothing() public {
        deposit(alice, 100);
        refuseCommit(one(4, alice, 0), abi.encodeWithSelector(IVenueVault.ZeroPayout.selector, 4));
    }

    function test_CommitRefusesSumsThatOverflow() public {
        deposit(alice, 100);
        Payout[] memory payouts = new Payout[](2);
        payouts[0] = Payout(1, alice, type(uint256).max);
        payouts[1] = Payout(2, bob, 1);
        refuseCommit(payouts, abi.encodeWithSignature("Panic(uint256)", 0x11));
    }

    function test_CommitOfABadBatchChangesNothing() public {
        deposit(alice, 100);
        Payout[] memory payouts = new Payout[](2);
        payouts[0] = Payout(1, alice, 10);
        payouts[1] = Payout(2, bob, 0);
        bytes32 batchId = refuseCommit(payouts, abi.encodeWithSelector(IVenueVault.ZeroPayout.selector, 2));
        vm.assertFalse(vault.isBatchCommitted(batchId));
        vm.assertFalse(vault.isPayoutCommitted(1));
        vm.assertEq(vault.entitlementOf(alice), 0);
    }

    function testFuzz_CommitReservesExactlyTheSum(uint64[8] memory amounts, uint256 firstId, uint256 spare) public {
        firstId = bound(firstId, 0, type(uint256).max - 8);
        Payout[] memory payouts = new Payout[](8);
        uint256 total = 0;
        for (uint256 i = 0; i < 8; ++i) {
            payouts[i] = Payout(firstId + i, i % 2 == 0 ? alice : bob, uint256(amounts[i]) + 1);
            total += payouts[i].amount;
        }
        spare = bound(spare, 0, 10);
        deposit(stranger, total + spare);
        vm.prank(operator);
        vault.commit("batch", payouts);
        vm.assertEq(vault.totalCommitted(), total);
        vm.assertEq(vault.entitlementOf(alice) + vault.entitlementOf(bob), total);
        for (uint256 i = 0; i < 8; ++i) {
            vm.assertTrue(vault.isPayoutCommitted(firstId + i));
        }
        refuseCommit(
            one(firstId + 8, bob, spare + 1),
            abi.encodeWithSelector(IVenueVault.InsufficientReserves.selector, total + spare + 1, total + spare)
        );
    }

    // Claims

    function test_ClaimPaysAllToTheCallerAlone() public {
        deposit(stranger, 100);
        commitOne(1, alice, 10);
        commitOne(2, bob, 20);
        commitOne(3, alice, 5);
        expectEvent();
        emit IVenueVault.Claimed(alice, 15);
        vm.prank(alice);
        vm.assertEq(vault.claim(), 15);
        vm.assertEq(token.balanceOf(alice), 15);
        vm.assertEq(token.balanceOf(bob), 0);
        vm.assertEq(vault.entitlementOf(alice), 0);
        vm.assertEq(vault.entitlementOf(bob), 20);
        vm.assertEq(vault.totalCommitted(), 20);
        vm.assertEq(vault.totalClaimed(), 15);
    }

    function test_ClaimRefusesWhenThereIsNothing() public {
        deposit(alice, 100);
        bytes memory refusal = abi.encodeWithSelector(IVenueVault.NothingToClaim.selector, alice);
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.claim();
        commitOne(1, alice, 10);
        vm.prank(alice);
        vault.claim();
        vm.expectRevert(refusal);
        vm.prank(alice);
        vault.claim();
        vm.assertEq(vault.totalClaimed(), 10);
    }

    function testFuzz_ClaimPaysWhatIsCommitted(uint128 deposited, uint128 first, uint128 second) public {
        deposited = uint128(bound(deposited, 2, type(uint128).max));
        first = uint128(bound(first, 1, deposited - 1));
        second = uint128(bound(second, 1, deposited - first));
        deposit(stranger, deposited);
        commitOne(1, alice, first);
        commitOne(2, bob, second);
        vm.prank(bob);
        vault.claim();
        vm.prank(alice);
        vault.claim();
        vm.assertEq(token.balanceOf(alice), first);
        vm.assertEq(token.balanceOf(bob), second);
        vm.assertEq(token.balanceOf(address(vault)), uint256(deposited) - first - second);
        vm.assertEq(vault.totalCommitted(), 0);
        vm.assertEq(vault.totalClaimed(), uint256(first) + second);
    }

    // Claims by signature

    function test_ClaimForPaysTheSignerAndNotTheRelayer() public {
        deposit(stranger, 100);
        commitOne(1, alice, 10);
        commitOne(2, stranger, 7);
        bytes memory signature = signClaim(ALICE_KEY, block.timestamp);
        expectEvent();
        emit IVenueVault.ClaimedFor(alice, stranger, 10);
        vm.prank(stranger);
        vm.assertEq(vault.claimFor(alice, block.timestamp, signature), 10);
        vm.assertEq(token.balanceOf(alice), 10);
        vm.assertEq(token.balanceOf(stranger), 0);
        vm.assertEq(vault.entitlementOf(stranger), 7);
        vm.assertEq(vault.nonces(alice), 1);
        vm.assertEq(vault.totalCommitted(), 7);
        vm.assertEq(vault.totalClaimed(), 10);
    }

    function test_ClaimForTakesASignatureOnce() public {
        deposit(stranger, 100);
        commitOne(1, alice, 10);
        bytes memory signature = signClaim(ALICE_KEY, block.timestamp);
        vault.claimFor(alice, block.timestamp, signature);
        commitOne(2, alice, 10);
        refuseSignature(alice, block.timestamp, signature);
        vm.assertEq(vault.entitlementOf(alice), 10);
    }

    function test_ClaimForEndsAfterItsDeadline() public {
        deposit(stranger, 100);
        commitOne(1, alice, 10);
        uint256 deadline = block.timestamp + 60;
        bytes memory signature = signClaim(ALICE_KEY, deadline);
        vm.warp(deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IVenueVault.SignatureExpired.selector, deadline));
        vault.claimFor(alice, deadline, signature);
        vm.warp(deadline);
        vault.claimFor(alice, deadline, signature);
        vm.assertEq(token.balanceOf(alice), 10);
    }

    function test_ClaimForRefusesWhatIsNotTheAccountsOwn() public {
        deposit(stranger, 100);
        commitOne(1, alice, 10);
        uint256 deadline = block.timestamp + 60;
        refuseSignature(alice, deadline, sign(BOB_KEY, claimDigest(alice, 0, deadline)));
        refuseSignature(alice, deadline, sign(ALICE_KEY, claimDigest(bob, 0, deadline)));
        refuseSignature(alice, deadline, sign(ALICE_KEY, claimDigest(alice, 1, deadline)));
        refuseSignature(alice, deadline + 1, sign(ALICE_KEY, claimDigest(alice, 0, deadline)));
        refuseSignature(alice, deadline, sign(ALICE_KEY, digestFor(address(token), block.chainid, alice, 0, deadline)));
        refuseSignature(alice, deadline, sign(ALICE_KEY, digestFor(address(vault), 1, alice, 0, deadline)));
        vm.assertEq(vault.nonces(alice), 0);
    }

    function test_ClaimForRefusesSignaturesOfAnotherForm() public {
        deposit(stranger, 100);
        commitOne(1, alice, 10);
        uint256 deadline = block.timestamp;
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(ALICE_KEY, claimDigest(alice, 0, deadline));
        bytes32 upperHalf = bytes32(CURVE_ORDER - uint256(s));
        refuseSignature(alice, deadline, "");
        refuseSignature(alice, deadline, abi.encodePacked(r, s));
        refuseSignature(alice, deadline, abi.encodePacked(r, s, v, uint8(0)));
        refuseSignature(alice, deadline, abi.encodePacked(r, s, v - 27));
        refuseSignature(alice, deadline, abi.encodePacked(r, upperHalf, v == 27 ? uint8(28) : uint8(27)));
    }

    function test_ClaimForNeverPaysTheZeroAddress() public {
        refuseSignature(address(0), block.timestamp, new bytes(65));
    }

    function test_ClaimForDiesWithTheChainId() public {
        deposit(stranger, 100);
        commitOne(1, alice, 10);
        bytes memory signature = signClaim(ALICE_KEY, block.timestamp);
        vm.chainId(block.chainid + 1);
        refuseSignature(alice, block.timestamp, signature);
        vault.claimFor(alice, block.timestamp, signClaim(ALICE_KEY, block.timestamp));
        vm.assertEq(token.balanceOf(alice), 10);
    }

    function test_ClaimForRefusesWhenThereIsNothing() public {
        bytes memory signature = signClaim(ALICE_KEY, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(IVenueVault.NothingToClaim.selector, alice));
        vault.claimFor(alice, block.timestamp, signature);
        vm.assertEq(vault.nonces(alice), 0);
    }

    function test_ClaimLeavesASignatureForALaterCommit() public {
        deposit(stranger, 100);
        commitOne(1, alice, 10);
        bytes memory signature = signClaim(ALICE_KEY, block.timestamp);
        vm.prank(alice);
        vault.claim();
        commitOne(2, alice, 20);
        vm.assertEq(vault.claimFor(alice, block.timestamp, signature), 20);
        vm.assertEq(token.balanceOf(alice), 30);
    }

    function testFuzz_ClaimForTakesNoOthersSignature(uint256 key, uint64 deadline, bytes32 noise) public {
        key = bound(key, 1, CURVE_ORDER - 1);
        vm.assume(vm.addr(key) != alice);
        vm.assume(deadline >= block.timestamp);
        deposit(stranger, 100);
        commitOne(1, alice, 10);
        refuseSignature(alice, deadline, sign(key, claimDigest(alice, 0, deadline)));
        vm.assume(noise != claimDigest(alice, 0, deadline));
        refuseSignature(alice, deadline, sign(ALICE_KEY, noise));
    }

    // Emergency sweep

    function test_SweepPaysTheFailsafeWhatIsNotCommitted() public {
        deposit(alice, 100);
        token.mint(address(vault), 11);
        commitOne(1, alice, 40);
        expectEvent();
        emit IVenueVault.EmergencySwept(failsafe, 71);
        vm.prank(failsafe);
        vm.assertEq(vault.emergencySweep(), 71);
        vm.assertEq(token.balanceOf(failsafe), 71);
        vm.assertEq(vault.totalCommitted(), 40);
        vm.prank(alice);
        vault.claim();
        vm.assertEq(token.balanceOf(alice), 40);
    }

    function test_SweepByTheOperatorPaysTheFailsafeToo() public {
        deposit(alice, 100);
        vm.prank(operator);
        vault.emergencySweep();
        vm.assertEq(token.balanceOf(failsafe), 100);
        vm.assertEq(token.balanceOf(operator), 0);
    }

    function test_SweepIsForOperatorAndFailsafeAlone() public {
        deposit(alice, 100);
        address[3] memory others = [alice, stranger, address(this)];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IVenueVault.NotSweeper.selector, others[i]));
            vm.prank(others[i]);
            vault.emergencySweep();
        }
    }

    function test_SweepRefusesWhenEverythingIsCommitted() public {
        vm.expectRevert(abi.encodeWithSelector(IVenueVault.NothingToSweep.selector, 0, 0));
        vm.prank(failsafe);
        vault.emergencySweep();
        deposit(alice, 100);
        commitOne(1, alice, 100);
        vm.expectRevert(abi.encodeWithSelector(IVenueVault.NothingToSweep.selector, 100, 100));
        vm.prank(failsafe);
        vault.emergencySweep();
    }

    function testFuzz_SweepLeavesWhatIsCommitted(uint128 deposited, uint128 committed) public {
        deposited = uint128(bound(deposited, 2, type(uint128).max));
        committed = uint128(bound(committed, 1, deposited - 1));
        deposit(stranger, deposited);
        commitOne(1, alice, committed);
        vm.prank(operator);
        vault.emergencySweep();
        vm.assertEq(token.balanceOf(address(vault)), committed);
        vm.assertEq(token.balanceOf(failsafe), deposited - committed);
        vm.prank(alice);
        vm.assertEq(vault.claim(), committed);
    }

    // Limits of trust

    function test_TheOperatorCanTakeWhatIsNotCommitted() public {
        deposit(alice, 100);
        commitOne(1, operator, 100);
        vm.prank(operator);
        vault.claim();
        vm.assertEq(token.balanceOf(operator), 100);
    }

    function test_TheVaultTakesNoEther() public {
        (bool accepted,) = address(vault).call{value: 1}("");
        vm.assertFalse(accepted);
    }

    // Helpers

    function give(address account, uint256 amount) private {
        token.mint(account, amount);
        vm.prank(account);
        token.approve(address(vault), amount);
    }

    function deposit(address account, uint256 amount) private {
        give(account, amount);
        vm.prank(account);
        vault.deposit(amount);
    }

    function expectEvent() private {
        vm.expectEmit(address(vault));
    }

    function nextContract() private view returns (address) {
        return vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
    }

    function refuseAddresses(address token_, address operator_, address failsafe_) private {
        vm.expectRevert(abi.encodeWithSelector(IVenueVault.InvalidAddresses.selector, token_, operator_, failsafe_));
        new VenueVault(token_, operator_, failsafe_);
    }

    function refuseCommit(Payout[] memory payouts, bytes memory refusal) private returns (bytes32 batchId) {
        batchId = nextBatch();
        vm.expectRevert(refusal);
        vm.prank(operator);
        vault.commit(batchId, payouts);
    }

    function refuseSignature(address account, uint256 deadline, bytes memory signature) private {
        vm.expectRevert(abi.encodeWithSelector(IVenueVault.InvalidSignature.selector, account));
        vault.claimFor(account, deadline, signature);
    }
}
