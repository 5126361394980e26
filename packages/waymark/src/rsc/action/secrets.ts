import { frameworkError } from '../../shared/errors.ts'

/**
 * Reads the secrets that closures are sealed with: `WAYMARK_SECRET`, else the build's own; then
 * those that still open what was sealed before, `WAYMARK_SECRET_PREVIOUS` separated by commas.
 * @param built what the build made for itself; `null` when it was given one
 * @throws `ACTION_SECRET`
 */
export function readSecrets(
  env: Readonly<Record<string, string | undefined>>,
  built: string | null,
): [string, ...string[]] {
  const own = env.WAYMARK_SECRET?.trim() || null
  const previous = (env.WAYMARK_SECRET_PREVIOUS ?? '').split(',').map((text) => text.trim())
  const older = previous.filter((text) => text !== '')
  for (const secret of [...(own === null ? [] : [own]), ...older]) {
    if (secret.length < minLength) throw frameworkError('ACTION_SECRET', { reason: tooShort })
  }
  const [first, ...others] = [own, built].filter((secret) => secret !== null)
  if (first === undefined) throw frameworkError('ACTION_SECRET', { reason: missing })
  return [first, ...older, ...others]
}

const minLength = 32
const tooShort = `a secret of WAYMARK_SECRET or WAYMARK_SECRET_PREVIOUS is shorter than ${minLength} characters`
const missing =
  'the build was given WAYMARK_SECRET and keeps none of its own, and now it is not set'
