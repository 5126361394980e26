import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

// OWASP's choice for 16 MB of memory each: https://cheatsheetseries.owasp.org (Password Storage).
const cost: ScryptOptions = { N: 2 ** 14, r: 8, p: 5 }
const keyBytes = 32

/** Hashes a password for the database: salt and key, as `salt:key` in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt)
  return `${salt.toString('base64url')}:${key.toString('base64url')}`
}

/**
 * Tells whether a password is the one that was hashed.
 * @param hash of `hashPassword`; `null` where there is no such user: it takes as long, so that the
 * time does not tell who has an account
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [salt = '', key = ''] = (hash ?? ':').split(':')
  const expected = Buffer.from(key, 'base64url')
  const given = await deriveKey(password, Buffer.from(salt, 'base64url'))
  return expected.length === given.length && timingSafeEqual(expected, given)
}

function deriveKey(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // One letter typed on two keyboards may have two encodings; NFKC has one.
    scrypt(password.normalize('NFKC'), salt, keyBytes, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
