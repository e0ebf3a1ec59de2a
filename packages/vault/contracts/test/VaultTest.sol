// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Payout} from "../IVenueVault.sol";
import {VenueVault} from "../VenueVault.sol";
import {vm} from "./Vm.sol";

/// @notice Actors and helpers that every test of the vault shares.
abstract contract VaultTest {
    uint256 internal constant ALICE_KEY = 0xa11ce;
    uint256 internal constant BOB_KEY = 0xb0b;
    address internal immutable alice = vm.addr(ALICE_KEY);
    address internal immutable bob = vm.addr(BOB_KEY);
    address internal immutable failsafe = address(0xfa11);
    address internal immutable stranger = address(0x5a5a);

    VenueVault internal vault;
    address internal operator = address(0x0123);
    uint256 private _batches;

    function one(uint256 id, address account, uint256 amount) internal pure returns (Payout[] memory payouts) {
        payouts = new Payout[](1);
        payouts[0] = Payout(id, account, amount);
    }

    /// @dev A batch with a single payout; `id` must be new.
    function commitOne(uint256 id, address account, uint256 amount) internal {
        bytes32 batchId = nextBatch();
        vm.prank(operator);
        vault.commit(batchId, one(id, account, amount));
    }

    function nextBatch() internal returns (bytes32) {
        return bytes32(++_batches);
    }

    /// @dev Implements EIP-712 again rather than calling the vault, so that the two check each other.
    function claimDigest(address account, uint256 nonce, uint256 deadline) internal view returns (bytes32) {
        return digestFor(address(vault), block.chainid, account, nonce, deadline);
    }

    function digestFor(address verifier, uint256 chainId, address account, uint256 nonce, uint256 deadline)
        internal
        pure
        returns (bytes32)
    {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Venue Vault"),
                keccak256("1"),
                chainId,
                verifier
            )
        );
        bytes32 claim = keccak256(
            abi.encode(keccak256("Claim(address account,uint256 nonce,uint256 deadline)"), account, nonce, deadline)
        );
        return MessageHashUtils.toTypedDataHash(domain, claim);
    }

    function sign(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev The signature that `claimFor` currently accepts from the holder of `key`.
    function signClaim(uint256 key, uint256 deadline) internal view returns (bytes memory) {
        address account = vm.addr(key);
        return sign(key, claimDigest(account, vault.nonces(account), deadline));
    }

    function balanceOf(address account) internal view returns (uint256) {
        return IERC20(vault.token()).balanceOf(account);
    }
}
