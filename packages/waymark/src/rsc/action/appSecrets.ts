import build from 'virtual:waymark/build'
import type { Sealer } from '../request/draftMode.ts'
import { createKeyRing, readSecrets } from './encryption.ts'

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

/**
 * Returns the app's secrets for values that only a running server creates, such as cookies. If
 * `WAYMARK_SECRET` is set, the build's secret isn't one of them. Otherwise everybody who has the
 * build, such as a container image, could forge these values.
 * @throws `ACTION_SECRET` like `appSecrets()`
 */
export function runtimeSecrets(): [string, ...string[]] {
  const isSet = Boolean(process.env.WAYMARK_SECRET?.trim())
  return readSecrets(process.env, isSet ? null : build.secret)
}

let ring: Sealer | null = null

/** Returns the keys of `runtimeSecrets()`. They are derived on first use. */
export function runtimeKeyRing(): Sealer {
  ring ??= createKeyRing(runtimeSecrets())
  return ring
}
