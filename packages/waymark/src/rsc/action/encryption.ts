import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { frameworkError } from '../../shared/errors.ts'
import type { Sealer } from '../request/draftMode.ts'
import { parseSecrets } from './parseSecrets.ts'

const ivBytes = 12
const tagBytes = 16

/**
 * Creates an object that encrypts with AES-256-GCM and HKDF. Secrets from `appSecrets()` may be replaced without making
 * encrypted values unreadable.
 * @param secrets the secrets to decrypt with. The first secret also encrypts
 */
export function createKeyRing(secrets: readonly [string, ...string[]]): Sealer {
  const keys = secrets.map(deriveKey)
  return {
    seal(value, purpose) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', keys[0] as Buffer, iv)
      cipher.setAAD(Buffer.from(purpose))
      const body = [iv, cipher.update(value), cipher.final()]
      return Buffer.concat([...body, cipher.getAuthTag()]).toString('base64url')
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.byteLength < ivBytes + tagBytes) return null
      for (const key of keys) {
        const opened = openWith(key, bytes, purpose)
        if (opened) return opened
      }
      return null
    },
  }
}

function deriveKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'waymark closures 1', 32))
}

function openWith(key: Buffer, bytes: Buffer, purpose: string): Uint8Array<ArrayBuffer> | null {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
  } catch {
    // The value was changed, or encrypted with a different key or for a different purpose.
    return null
  }
}

/**
 * Returns the app's secret or the build's secret, followed by the secrets in `WAYMARK_SECRET_PREVIOUS`.
 * @throws `ACTION_SECRET`
 */
export function readSecrets(
  env: Readonly<Record<string, string | undefined>>,
  built: string | null,
): [string, ...string[]] {
  const secrets = parseSecrets(env)
  if (secrets.some(({ length }) => length < minLength)) {
    throw frameworkError('ACTION_SECRET', { reason: tooShort })
  }
  const current = env.WAYMARK_SECRET?.trim() || null
  const older = current === null ? secrets : secrets.slice(1)
  const [first, ...others] = [current, built].filter((secret) => secret !== null)
  if (first === undefined) throw frameworkError('ACTION_SECRET', { reason: missing })
  return [first, ...older, ...others]
}

const minLength = 32
const tooShort = `a secret in WAYMARK_SECRET or WAYMARK_SECRET_PREVIOUS is shorter than ${minLength} characters`
const missing =
  'WAYMARK_SECRET was set when the app was built, so the build contains no secret, but the variable is not set now'

export class UndecryptableClosure extends Error {
  override readonly name = 'StaleValue'
}
