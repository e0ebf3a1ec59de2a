// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignerECDSA} from "@openzeppelin/contracts/utils/cryptography/signers/SignerECDSA.sol";

/// @notice A wallet of two owners for tests, in the manner of a Safe: both sign a message that is bound to the wallet.
contract TwoOwnerWallet is EIP712("TwoOwnerWallet", "1"), IERC1271 {
    bytes32 private constant MESSAGE = keccak256("WalletMessage(bytes32 hash)");

    address public first;
    address public second;

    constructor(address first_, address second_) {
        first = first_;
        second = second_;
    }

    modifier onlyOwner() {
        require(msg.sender == first || msg.sender == second, "not an owner");
        _;
    }

    function execute(address to, bytes calldata data) external onlyOwner {
        (bool succeeded,) = to.call(data);
        require(succeeded, "the call failed");
    }

    function replace(address first_, address second_) external onlyOwner {
        first = first_;
        second = second_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 130) return 0xffffffff;
        bytes32 digest = _hashTypedDataV4(keccak256(abi.encode(MESSAGE, hash)));
        bool isFirst = ECDSA.recover(digest, signature[:65]) == first;
        bool isSecond = ECDSA.recover(digest, signature[65:]) == second;
        return isFirst && isSecond ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// @notice A minimal ERC-4337 account for tests, with one owner.
contract SmartAccount is Account, SignerECDSA, IERC1271 {
    constructor(address owner) SignerECDSA(owner) {}

    function execute(address to, bytes calldata data) external {
        require(msg.sender == signer() || msg.sender == address(entryPoint()), "not the owner");
        (bool succeeded,) = to.call(data);
        require(succeeded, "the call failed");
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return _rawSignatureValidation(hash, signature) ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// @notice Puts wallets at addresses that are known before they are there.
contract WalletFactory {
    function createTwoOwner(bytes32 salt, address first, address second) external returns (address) {
        return address(new TwoOwnerWallet{salt: salt}(first, second));
    }

    function createAccount(bytes32 salt, address owner) external returns (address) {
        return address(new SmartAccount{salt: salt}(owner));
    }
}

/// @notice Answers the question for a signature in a way that no wallet should.
contract HostileWallet {
    enum Way {
        BurnsGas,
        Reverts,
        SaysMore,
        SaysLess,
        SaysYes,
        Floods,
        IsOpened
    }

    Way private immutable WAY;
    bool private isOpen;

    constructor(Way way) {
        WAY = way;
    }

    /// @notice Anybody may make it accept everything, as a loan for the time of one call might.
    function open() external {
        isOpen = true;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        bytes32 magic = bytes32(IERC1271.isValidSignature.selector);
        if (WAY == Way.Reverts) revert("no");
        if (WAY == Way.BurnsGas) while (true) {}
        uint256 size = 4;
        if (WAY == Way.IsOpened) size = isOpen ? 32 : 4;
        if (WAY == Way.SaysMore) size = 64;
        if (WAY == Way.Floods) size = 400_000;
        if (WAY == Way.SaysYes) (magic, size) = (bytes32(uint256(1)), 32);
        assembly {
            mstore(0, magic)
            return(0, size)
        }
    }
}
