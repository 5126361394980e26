import { isShared } from '../contract/cacheControl.ts'
import type { Finding } from '../contract/finding.ts'
import type { ProbeResponse } from './exchange.ts'
import type { Probe, Sender } from './sender.ts'

/** The responses of a request, by persona. */
export type ResponsesByPersona = ReadonlyMap<string, ProbeResponse>

/**
 * Finds a response that shared caches may store although its content depends on the persona. A
 * response that also differs between two requests of the same persona says nothing, so it doesn't
 * count.
 * @param title such as `The page /account`
 */
export async function findSharedContent(
  title: string,
  request: Omit<Probe, 'persona'>,
  responses: ResponsesByPersona,
  { file, sender }: { readonly file: string; readonly sender: Sender },
): Promise<Finding | null> {
  const shared = [...responses].filter(
    ([, { status, headers }]) => status < 300 && isShared(headers.get('cache-control')),
  )
  const [first, ...others] = shared
  if (first === undefined) return null
  const [persona, response] = first
  const different = others.find(([, other]) => other.body !== response.body)
  if (different === undefined) return null
  const again = await sender.send({ ...request, persona })
  if (again.body !== response.body) return null
  return {
    sentence: `${title} may be stored by shared caches (\`${response.headers.get('cache-control')}\`), but *${persona}* and *${different[0]}* get different content.`,
    place: { file, line: null },
  }
}
