import build from 'virtual:waymark/build'
import { readSecrets } from './encryption.ts'

/**
 * Returns the app's secrets, newest first: `WAYMARK_SECRET`, the list in `WAYMARK_SECRET_PREVIOUS`, then the build's
 * secret. Sign with the first secret and accept all of them, so that a secret can be replaced. Derive a key for each
 * purpose, for example with an HMAC, and never send or print a secret.
 * @throws `ACTION_SECRET` if the app has no secret, or if a secret is shorter than 32 characters
 */
export function appSecrets(): [string, ...string[]] {
  return readSecrets(process.env, build.secret)
}
