import { generateKeyPairSync } from 'node:crypto';

/** A new RSA key pair of 2,048 bits, as PEM files: lines of 64 characters between a header and a footer. */
export function newKeyPair(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}
