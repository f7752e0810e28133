import { generateKeyPairSync } from 'node:crypto';

/** RSA, 2,048 bits, as the files that people have: lines of 64 characters between a head and an end. Another at each call. */
export function newKeyPair(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}
