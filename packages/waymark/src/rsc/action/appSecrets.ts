import build from 'virtual:waymark/build'
import { readSecrets } from './encryption.ts'

/**
 * Returns the app's secrets, newest first: `WAYMARK_SECRET`, the list in `WAYMARK_SECRET_PREVIOUS`,
 * then the build's secret. Sign with the first secret, but accept all of them, so that secrets can
 * be replaced. For each purpose, derive a separate key, for example with an HMAC. Never send or
 * print a secret.
 * @throws `ACTION_SECRET` if the app has no secret, or if a secret is shorter than 32 characters
 */
export function appSecrets(): [string, ...string[]] {
  return readSecrets(process.env, build.secret)
}
