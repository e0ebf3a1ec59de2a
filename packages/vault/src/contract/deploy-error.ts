/** A vault that cannot be deployed or verified; the message is one line and says what to do. */
export class VaultDeployError extends Error {
  override readonly name = 'VaultDeployError';
}
