// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice A stablecoin for tests and the demonstration. It is worthless: anyone may mint any amount of it.
contract TestStablecoin is ERC20("Test Stablecoin", "TEST") {
    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }
}
