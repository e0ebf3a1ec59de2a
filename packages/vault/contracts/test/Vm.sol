// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The forge cheatcodes that the tests use.
interface Vm {
    function prank(address sender) external;
    function expectRevert(bytes calldata revertData) external;
    function expectRevert(bytes4 selector) external;
    function expectEmit(address emitter) external;
    function warp(uint256 timestamp) external;
    function chainId(uint256 id) external;
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function computeCreateAddress(address deployer, uint256 nonce) external pure returns (address);
    function getNonce(address account) external view returns (uint64);
    function addr(uint256 privateKey) external pure returns (address);
    function assume(bool condition) external pure;
    function assertEq(uint256 left, uint256 right) external pure;
    function assertEq(uint256 left, uint256 right, string calldata reason) external pure;
    function assertEq(address left, address right) external pure;
    function assertEq(string calldata left, string calldata right) external pure;
    function assertGe(uint256 left, uint256 right, string calldata reason) external pure;
    function assertTrue(bool condition) external pure;
    function assertTrue(bool condition, string calldata reason) external pure;
    function assertFalse(bool condition) external pure;
    function assertFalse(bool condition, string calldata reason) external pure;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

/// @dev Any value, folded into the range from `low` to `high`, both included.
function bound(uint256 value, uint256 low, uint256 high) pure returns (uint256) {
    return low + value % (high - low + 1);
}
