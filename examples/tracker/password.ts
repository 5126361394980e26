import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

// OWASP recommends these values for 16 MB of memory per hash: https://cheatsheetseries.owasp.org (Password Storage).
const cost: ScryptOptions = { N: 2 ** 14, r: 8, p: 5 }
const keyBytes = 32

/** Hashes a password for the database. Returns `salt:key` in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt)
  return `${salt.toString('base64url')}:${key.toString('base64url')}`
}

/**
 * True if a password matches a hash.
 * @param hash from `hashPassword`, or `null` if there is no such user. A check takes the same time in
 * both cases, so that nobody can measure who has an account.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [salt = '', key = ''] = (hash ?? ':').split(':')
  const expected = Buffer.from(key, 'base64url')
  const derived = await deriveKey(password, Buffer.from(salt, 'base64url'))
  return expected.length === derived.length && timingSafeEqual(expected, derived)
}

function deriveKey(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Normalise to NFKC, because keyboards may encode the same letter in different ways.
    scrypt(password.normalize('NFKC'), salt, keyBytes, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
