/** The package's types cover only its main entry. */
declare module 'secp256k1/bindings.js' {
  const bindings: Pick<typeof import('secp256k1'), 'ecdsaRecover' | 'ecdsaVerify'>;
  export = bindings;
}
