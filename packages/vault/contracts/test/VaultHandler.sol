// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IVenueVault, Payout} from "../IVenueVault.sol";
import {VenueVault} from "../VenueVault.sol";
import {TestStablecoin} from "./TestStablecoin.sol";
import {VaultTest} from "./VaultTest.sol";
import {bound, vm} from "./Vm.sol";

/// @notice Plays every actor of the vault, in any order and with any numbers, and keeps its own simple books.
/// @dev An act that must work and fails, or must fail and works, reverts, which ends the campaign.
contract VaultHandler is VaultTest {
    uint256 public constant ACTORS = 5;
    uint256 private constant LARGE = 1e15;

    TestStablecoin public immutable token;

    // The books: how many tokens each account should hold, and how many it may claim.
    mapping(address account => uint256) public tokensOf;
    mapping(address account => uint256) public owedTo;
    mapping(address account => uint256) public noncesOf;
    uint256 public committedEver;
    uint256 public claimedEver;

    /// @dev Counts of successful acts.
    mapping(bytes4 act => uint256) public done;

    uint256 private _payouts;
    mapping(address account => bytes) private _spentSignature;

    constructor() {
        token = new TestStablecoin();
        vault = new VenueVault(address(token), operator, failsafe);
    }

    function deposit(uint256 who, uint256 amount) external {
        address account = actor(who);
        amount = bound(amount, 1, LARGE);
        token.mint(account, amount);
        vm.prank(account);
        token.approve(address(vault), amount);
        vm.prank(account);
        vault.deposit(amount);
        tokensOf[address(vault)] += amount;
        did(this.deposit.selector);
    }

    function donate(uint256 amount) external {
        amount = bound(amount, 1, LARGE);
        token.mint(address(vault), amount);
        tokensOf[address(vault)] += amount;
        did(this.donate.selector);
    }

    /// @dev A batch of one to four payouts, of any amount up to the free balance.
    function commit(uint256 seed, uint256 count) external {
        uint256 free = tokensOf[address(vault)] - vault.totalCommitted();
        count = bound(count, 1, 4);
        if (free < count) return;
        Payout[] memory payouts = new Payout[](count);
        for (uint256 i = 0; i < count; ++i) {
            uint256 amount = bound(mix(seed, i), 1, free / (count - i));
            free -= amount;
            payouts[i] = Payout(++_payouts, actor(mix(seed, i + count)), amount);
            owedTo[payouts[i].account] += amount;
            committedEver += amount;
        }
        bytes32 batchId = nextBatch();
        vm.prank(operator);
        vault.commit(batchId, payouts);
        did(this.commit.selector);
    }

    function commitTooMuch(uint256 who, uint256 excess) external {
        uint256 free = tokensOf[address(vault)] - vault.totalCommitted();
        Payout[] memory payouts = one(_payouts + 1, actor(who), free + bound(excess, 1, LARGE));
        mustFail(operator, abi.encodeCall(IVenueVault.commit, (nextBatch(), payouts)));
        did(this.commitTooMuch.selector);
    }

    function commitAgain(uint256 who, uint256 id) external {
        if (_payouts == 0) return;
        Payout[] memory payouts = one(bound(id, 1, _payouts), actor(who), 1);
        mustFail(operator, abi.encodeCall(IVenueVault.commit, (nextBatch(), payouts)));
        did(this.commitAgain.selector);
    }

    function claim(uint256 who) external {
        address account = actor(who);
        if (owedTo[account] == 0) return mustFail(account, abi.encodeCall(IVenueVault.claim, ()));
        vm.prank(account);
        settle(account, vault.claim());
        did(this.claim.selector);
    }

    function claimFor(uint256 who, uint256 relayer) external {
        address account = actor(who);
        bytes memory signature = signClaim(keyOf(who), block.timestamp);
        bytes memory call = abi.encodeCall(IVenueVault.claimFor, (account, block.timestamp, signature));
        if (owedTo[account] == 0) return mustFail(actor(relayer), call);
        vm.prank(actor(relayer));
        settle(account, vault.claimFor(account, block.timestamp, signature));
        _spentSignature[account] = call;
        ++noncesOf[account];
        did(this.claimFor.selector);
    }

    function replay(uint256 who, uint256 relayer) external {
        bytes memory call = _spentSignature[actor(who)];
        if (call.length == 0) return;
        mustFail(actor(relayer), call);
        did(this.replay.selector);
    }

    /// @dev An account signs for another, or uses another's signature for itself.
    function forge(uint256 who, uint256 other) external {
        if (actor(who) == actor(other)) return;
        bytes memory signature = signClaim(keyOf(other), block.timestamp);
        mustFail(actor(other), abi.encodeCall(IVenueVault.claimFor, (actor(who), block.timestamp, signature)));
        did(this.forge.selector);
    }

    function usurp(uint256 who) external {
        address account = actor(who);
        mustFail(account, abi.encodeCall(IVenueVault.emergencySweep, ()));
        mustFail(account, abi.encodeCall(IVenueVault.commit, (nextBatch(), one(_payouts + 1, account, 1))));
        mustFail(failsafe, abi.encodeCall(IVenueVault.commit, (nextBatch(), one(_payouts + 1, failsafe, 1))));
        did(this.usurp.selector);
    }

    function sweep(bool byOperator) external {
        address sender = byOperator ? operator : failsafe;
        uint256 free = tokensOf[address(vault)] - vault.totalCommitted();
        if (free == 0) return mustFail(sender, abi.encodeCall(IVenueVault.emergencySweep, ()));
        vm.prank(sender);
        vm.assertEq(vault.emergencySweep(), free);
        tokensOf[address(vault)] -= free;
        tokensOf[failsafe] += free;
        did(this.sweep.selector);
    }

    function theVault() external view returns (VenueVault) {
        return vault;
    }

    /// @dev Every account that could ever hold tokens.
    function everybody() external view returns (address[] memory accounts) {
        accounts = new address[](ACTORS + 4);
        for (uint256 i = 0; i < ACTORS; ++i) {
            accounts[i] = actor(i);
        }
        accounts[ACTORS] = operator;
        accounts[ACTORS + 1] = failsafe;
        accounts[ACTORS + 2] = address(vault);
        accounts[ACTORS + 3] = address(this);
    }

    function settle(address account, uint256 paid) private {
        vm.assertEq(paid, owedTo[account]);
        owedTo[account] = 0;
        claimedEver += paid;
        tokensOf[address(vault)] -= paid;
        tokensOf[account] += paid;
    }

    function mustFail(address sender, bytes memory call) private {
        vm.prank(sender);
        (bool works,) = address(vault).call(call);
        vm.assertFalse(works, "what had to fail has worked");
    }

    function did(bytes4 act) private {
        ++done[act];
    }

    function keyOf(uint256 who) private pure returns (uint256) {
        return 0xac70 + who % ACTORS;
    }

    function actor(uint256 who) private pure returns (address) {
        return vm.addr(keyOf(who));
    }

    function mix(uint256 seed, uint256 salt) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, salt)));
    }
}
