// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {BitMaps} from "@openzeppelin/contracts/utils/structs/BitMaps.sol";
import {IVenueVault, Payout} from "./IVenueVault.sol";

/// @title VenueVault
/// @notice `IVenueVault` says what it does, guarantees and does not guarantee.
contract VenueVault is IVenueVault, EIP712, Nonces, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;
    using BitMaps for BitMaps.BitMap;

    /// @dev One token unit is one micro of the exchange, so that no amount is ever converted.
    uint8 private constant DECIMALS = 6;
    bytes32 private constant CLAIM_TYPEHASH = keccak256("Claim(address account,uint256 nonce,uint256 deadline)");

    address public immutable token;
    address public immutable operator;
    address public immutable failsafe;

    uint256 public totalCommitted;
    uint256 public totalClaimed;
    mapping(address account => uint256) public entitlementOf;
    mapping(bytes32 batchId => bool) public isBatchCommitted;
    /// @dev Payout ids ascend at the exchange, so 256 of them share one storage slot.
    BitMaps.BitMap private _payouts;

    constructor(address token_, address operator_, address failsafe_) EIP712("Venue Vault", "1") {
        require(
            token_ != address(0) && operator_ != address(0) && failsafe_ != address(0) && operator_ != failsafe_
                && operator_ != token_ && failsafe_ != token_ && operator_ != address(this)
                && failsafe_ != address(this),
            InvalidAddresses(token_, operator_, failsafe_)
        );
        uint8 decimals = IERC20Metadata(token_).decimals();
        require(decimals == DECIMALS, UnsupportedDecimals(decimals));
        token = token_;
        operator = operator_;
        failsafe = failsafe_;
    }

    /// @inheritdoc IVenueVault
    function deposit(uint256 amount) external nonReentrant {
        require(amount > 0, ZeroDeposit());
        uint256 balanceBefore = _balance();
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        uint256 balanceAfter = _balance();
        require(balanceAfter == balanceBefore + amount, UnexpectedBalance(amount, balanceBefore, balanceAfter));
        emit Deposited(msg.sender, amount);
    }

    /// @inheritdoc IVenueVault
    function commit(bytes32 batchId, Payout[] calldata payouts) external nonReentrant {
        require(msg.sender == operator, NotOperator(msg.sender));
        require(payouts.length > 0, EmptyBatch(batchId));
        require(!isBatchCommitted[batchId], BatchAlreadyCommitted(batchId));
        isBatchCommitted[batchId] = true;
        uint256 total = 0;
        for (uint256 i = 0; i < payouts.length; ++i) {
            _entitle(payouts[i]);
            total += payouts[i].amount;
        }
        uint256 committed = totalCommitted + total;
        uint256 balance = _balance();
        require(committed <= balance, InsufficientReserves(committed, balance));
        totalCommitted = committed;
        emit BatchCommitted(batchId, payouts.length, total);
    }

    /// @inheritdoc IVenueVault
    function claim() external nonReentrant returns (uint256 amount) {
        amount = _pay(msg.sender);
        emit Claimed(msg.sender, amount);
    }

    /// @inheritdoc IVenueVault
    function claimFor(address account, uint256 deadline, bytes calldata signature)
        external
        nonReentrant
        returns (uint256 amount)
    {
        require(block.timestamp <= deadline, SignatureExpired(deadline));
        bytes32 claimHash = keccak256(abi.encode(CLAIM_TYPEHASH, account, _useNonce(account), deadline));
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecover(_hashTypedDataV4(claimHash), signature);
        require(failure == ECDSA.RecoverError.NoError && signer == account, InvalidSignature(account));
        amount = _pay(account);
        emit ClaimedFor(account, msg.sender, amount);
    }

    /// @inheritdoc IVenueVault
    function emergencySweep() external nonReentrant returns (uint256 amount) {
        require(msg.sender == operator || msg.sender == failsafe, NotSweeper(msg.sender));
        uint256 balance = _balance();
        require(balance > totalCommitted, NothingToSweep(balance, totalCommitted));
        amount = balance - totalCommitted;
        IERC20(token).safeTransfer(failsafe, amount);
        emit EmergencySwept(failsafe, amount);
    }

    /// @inheritdoc IVenueVault
    function isPayoutCommitted(uint256 payoutId) external view returns (bool) {
        return _payouts.get(payoutId);
    }

    /// @inheritdoc IVenueVault
    function nonces(address account) public view override(IVenueVault, Nonces) returns (uint256) {
        return super.nonces(account);
    }

    function _entitle(Payout calldata payout) private {
        require(
            payout.account != address(0) && payout.account != address(this), InvalidPayee(payout.id, payout.account)
        );
        require(payout.amount > 0, ZeroPayout(payout.id));
        require(!_payouts.get(payout.id), PayoutAlreadyCommitted(payout.id));
        _payouts.set(payout.id);
        entitlementOf[payout.account] += payout.amount;
        emit PayoutCommitted(payout.id, payout.account, payout.amount);
    }

    /// @dev The books are settled before the token is called, so a reentrant call finds nothing left to take.
    function _pay(address account) private returns (uint256 amount) {
        amount = entitlementOf[account];
        require(amount > 0, NothingToClaim(account));
        entitlementOf[account] = 0;
        totalCommitted -= amount;
        totalClaimed += amount;
        IERC20(token).safeTransfer(account, amount);
    }

    function _balance() private view returns (uint256) {
        return IERC20(token).balanceOf(address(this));
    }
}
