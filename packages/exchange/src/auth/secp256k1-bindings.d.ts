/** The package's types cover its main entry only. */
declare module 'secp256k1/bindings.js' {
  const bindings: Pick<typeof import('secp256k1'), 'ecdsaRecover' | 'ecdsaVerify'>;
  export = bindings;
}
