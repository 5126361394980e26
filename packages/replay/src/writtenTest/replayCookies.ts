/**
 * Environment variable with the cookies for a written test: `session=abc; theme=dark`. The test file
 * must not contain the cookies.
 */
export const replayCookiesVariable = 'WAYMARK_REPLAY_COOKIES'

type Sent = Readonly<Record<string, string>>

/** Parses a string such as `a=1; b=2`. @returns `null` for an invalid string */
export function parseCookies(text: string): Readonly<Record<string, string>> | null {
  const pairs = text.split(';').map((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? null : ([pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const)
  })
  const parsedPairs = pairs.flatMap((pair) => (pair ? [pair] : []))
  return parsedPairs.length === pairs.length ? Object.fromEntries(parsedPairs) : null
}

/**
 * Adds the cookies from the environment variable to a test's cookies.
 * @param needed names of cookies without which the error does not occur
 * @throws an `Error` if a needed cookie is missing, with instructions to provide the cookie
 */
export function withNeededCookies(
  needed: readonly string[],
  testCookies: Sent = {},
  text = process.env[replayCookiesVariable] ?? '',
): Sent {
  const cookies = { ...testCookies, ...(text === '' ? {} : parseCookies(text)) }
  const missing = needed.filter((name) => cookies[name] === undefined)
  if (missing.length === 0) return cookies
  throw new Error(
    `This request needs the ${listOf(missing)} of a signed-in user. Without a signed-in user, the error doesn't occur. ${howToGive(missing)}`,
  )
}

/** @throws an `Error` if a request that needs cookies was refused, for example by an expired session */
export function expectAdmitted(
  needed: readonly string[],
  { status, headers }: Pick<Response, 'status' | 'headers'>,
): void {
  const isRedirect = status >= 300 && status < 400
  if (needed.length === 0 || !(isRedirect || status === 401 || status === 403)) return
  const to = isRedirect ? ` to ${headers.get('location') ?? 'nowhere'}` : ''
  throw new Error(
    `The request was refused with status ${status}${to}, before it reached the code that failed. The ${listOf(needed)} may have expired. ${howToGive(needed)} If this is the right response, delete neededCookies.`,
  )
}

function listOf(names: readonly string[]): string {
  return `${names.length === 1 ? 'cookie' : 'cookies'} ${names.join(', ')}`
}

function howToGive(names: readonly string[]): string {
  const example = names.map((name) => `${name}=…`).join('; ')
  return `Sign a test user in with a replay.ts next to the app folder and pass on its result: ...(await openSession({ entry, origin: app.origin })). Or set ${replayCookiesVariable}="${example}".`
}
