/** A vault that cannot be deployed or verified as asked; the message is one line and says what to do. */
export class VaultDeployError extends Error {
  override readonly name = 'VaultDeployError';
}
