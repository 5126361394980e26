import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfigFromFile } from 'vite'
import type { JournalEntry } from 'waymark/drivers'
import type { ReplaySession } from './sendRequest.ts'

/** Argument of the function in an app's `replay.ts`. */
export type ReplayContext = {
  /** The recorded error. */
  readonly entry: Pick<JournalEntry, 'digest' | 'phase' | 'route' | 'path' | 'method'>
  /** Origin of the server that gets the request. */
  readonly origin: string
}

/** Default export of an app's `replay.ts`, which signs in for requests that need a user. */
export type OpenReplaySession = (context: ReplayContext) => ReplaySession | Promise<ReplaySession>

const names = ['ts', 'mts', 'js', 'mjs'].map((end) => `replay.${end}`)

export function sessionFile(root: string): string | undefined {
  return names.map((name) => join(root, name)).find(existsSync)
}

/** @param cookies cookies from the command line, which take precedence */
export function sessionFor(root: string, cookies: Readonly<Record<string, string>>) {
  return async (context: ReplayContext): Promise<ReplaySession> => {
    const { headers = {}, ...fileSession } = await openSessionFile(root, context)
    const session = { headers, cookies: { ...fileSession.cookies, ...cookies } }
    const lines = [...Object.entries(headers), ...Object.entries(session.cookies)]
    const broken = lines.find(([name, value]) => !isName.test(name) || !isValue.test(value))
    if (broken) throw new Error(`${JSON.stringify(broken[0])} can't be sent as a header or cookie.`)
    return session
  }
}

// Pattern of a token according to RFC 9110 §5.6.2.
const isName = /^[\w!#$%&'*+.^`|~-]+$/
const isValue = /^[\x20-\x7e]*$/

async function openSessionFile(root: string, context: ReplayContext): Promise<ReplaySession> {
  const file = sessionFile(root)
  if (file === undefined) return {}
  // Pass the context in this object, because Vite calls a default export that is a function with it.
  const configContext = { command: 'build', mode: 'production', ...context } as const
  const loaded = await loadConfigFromFile(configContext, file, root, 'silent')
  return (loaded?.config ?? {}) as ReplaySession
}
