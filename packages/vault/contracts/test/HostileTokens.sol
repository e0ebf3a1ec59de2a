// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {TestStablecoin} from "./TestStablecoin.sol";

/// @notice Keeps one percent of what is transferred.
contract FeeToken is TestStablecoin {
    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (from != address(0) && to != address(0)) super._update(to, address(0), amount / 100);
    }
}

/// @notice Returns false instead of reverting, and moves nothing.
contract FalseToken is TestStablecoin {
    function transfer(address, uint256) public pure override returns (bool) {
        return false;
    }

    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return false;
    }
}

/// @notice Reports a transfer that it did not make.
contract PhantomToken is TestStablecoin {
    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return true;
    }
}

/// @notice Transfers normally and returns nothing, as some old stablecoins do.
contract SilentToken is TestStablecoin {
    function transfer(address to, uint256 amount) public override returns (bool) {
        super.transfer(to, amount);
        returnNothing();
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        returnNothing();
    }

    function returnNothing() internal pure {
        assembly {
            return(0, 0)
        }
    }
}

/// @notice Changes an allowance only from or to zero, as mainnet's USDT does.
contract ResettingToken is SilentToken {
    error AllowanceNotReset();

    function approve(address spender, uint256 amount) public override returns (bool) {
        require(amount == 0 || allowance(msg.sender, spender) == 0, AllowanceNotReset());
        super.approve(spender, amount);
        returnNothing();
    }
}

/// @notice Freezes accounts, as issuers of stablecoins may.
contract FreezingToken is TestStablecoin {
    error Frozen(address account);

    mapping(address account => bool) private _frozen;

    function freeze(address account) external {
        _frozen[account] = true;
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(!_frozen[from], Frozen(from));
        require(!_frozen[to], Frozen(to));
        super._update(from, to, amount);
    }
}

/// @notice Halves everybody's balance on command.
contract ShrinkingToken is TestStablecoin {
    uint256 private _divisor = 1;

    function halve() external {
        _divisor *= 2;
    }

    function balanceOf(address account) public view override returns (uint256) {
        return super.balanceOf(account) / _divisor;
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount * _divisor);
    }
}

interface TransferHook {
    function onTransfer() external;
}

/// @notice Once armed, calls another contract in the middle of each transfer.
contract CallingToken is TestStablecoin {
    TransferHook private _hook;

    function arm(TransferHook hook) external {
        _hook = hook;
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (address(_hook) != address(0)) _hook.onTransfer();
    }
}
