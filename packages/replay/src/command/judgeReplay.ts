import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { JournalEntry } from 'waymark/drivers'
import { actionName, type StoredRequest } from '../server/storedRequest.ts'
import type { ReplaySession } from './sendRequest.ts'

export type ReplayOutcome =
  /** The request fails with the same fingerprint. */
  | 'same'
  /**
   * The request fails with a different fingerprint, or with a fingerprint that only the other server
   * knows.
   */
  | 'other'
  | 'fixed'
  /** The request could not be sent, or was refused before it reached the code that failed. */
  | 'refused'

export type ReplayResult = {
  readonly outcome: ReplayOutcome
  readonly says: string
  /** Advice, and reasons why the result may differ. */
  readonly notes: readonly string[]
  readonly status: number | null
  readonly entry: JournalEntry | null
  readonly request: StoredRequest | null
  /** The error that the replay caused. */
  readonly failure: JournalEntry | null
  /** Names of the original request's cookies that the replayed request also included. */
  readonly sentCookies: readonly string[]
}

/** @returns the reason why a request isn't sent; `null` if it is sent */
export function reasonToRefuse(
  entry: Pick<JournalEntry, 'phase' | 'buildId' | 'path' | 'browser'>,
  request: StoredRequest | string | null,
  { root, runAction = false }: { readonly root: string; readonly runAction?: boolean | undefined },
): string | null {
  const { phase, buildId } = entry
  if (phase === 'browser')
    return `The error was thrown in a browser, so no request can repeat it. --test writes a test that opens the same pages in a browser. The pages: ${wayTo(entry).join(' → ')}.`
  if (request === null) {
    if (buildId === 'development')
      return 'The error was thrown in the dev server, which stores no requests. Open the page there again.'
    return phase === 'prerender' || phase === 'startup' || phase === 'process'
      ? `The error was thrown outside of a request (${phase}). To repeat it, run waymark build or waymark start.`
      : "The request that caused this error wasn't stored. Add replay() from @waymark/replay/vite to the plugins in vite.config.ts, then build and deploy. From then on, such requests are stored."
  }
  if (typeof request === 'string') return `The journal entry can't be used: ${request}.`
  const { action, method } = request
  if (action && action.arguments === null)
    return `The action's arguments weren't stored. Allow them in vite.config.ts: replay({ arguments: ['${nameAction(root, action.id)}'] }). From then on, they are stored.`
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  if ((action || !isRead) && !runAction)
    return `${action ? 'The request calls an action' : `The request is a ${method}`}, which may change data or send mail again. Add --run-action to send it anyway.`
  return null
}

/** Returns the pages that a browser visited up to the error, as paths without query values. */
export function wayTo({ path, browser }: Pick<JournalEntry, 'path' | 'browser'>): string[] {
  const way = [...(browser?.navigations ?? []), path ?? '/']
  // Check the paths, because browsers sent them and they can't be trusted.
  const pathnames = way.filter((each) => /^\/(?![/\\])[\x21-\x7e]*$/.test(each))
  return pathnames.filter((each, at) => each !== pathnames[at - 1])
}

/** @returns a name such as `app/actions.ts#addToCart`; the id itself if no file of the app matches it */
function nameAction(root: string, id: string): string {
  const at = id.indexOf('#')
  const file = filesIn(root).find((file) => actionName.hash(file) === id.slice(0, at))
  return file === undefined ? id : `${file}${id.slice(at)}`
}

function filesIn(root: string, folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (/^(?:\.|node_modules$)/.test(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(root, path)
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [relative(root, path).replaceAll(sep, '/')] : []
  })
}

type Judged = {
  readonly entry: JournalEntry
  readonly request: StoredRequest
  readonly response: Pick<Response, 'status' | 'headers'>
  readonly session: ReplaySession
}

/** @param failure the error that the replay caused, if any */
export function judge(
  { entry, request, response, session }: Judged,
  failure: JournalEntry | null,
): ReplayResult {
  const { status } = response
  const sentCookies = request.cookies.filter((name) => session.cookies?.[name] !== undefined)
  const base = { status, entry, request, failure, notes: [], sentCookies }
  if (failure?.fingerprint === entry.fingerprint) {
    return {
      ...base,
      outcome: 'same',
      says: `The request fails in the same way, with status ${status}.`,
    }
  }
  if (failure) {
    const says = `The request fails with a different error and status ${status}: ${failure.digest}, fingerprint ${failure.fingerprint} instead of ${entry.fingerprint}.`
    return { ...base, outcome: 'other', says }
  }
  const location = response.headers.get('location')
  const missing = request.cookies.filter((name) => !sentCookies.includes(name))
  const isTurnedAway = [401, 403, 404].includes(status) || location !== null
  if (isTurnedAway && missing.length > 0) {
    const to =
      location === null ? '' : ` to ${location.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)}`
    const says = `The request was refused with status ${status}${to}, before it reached the code that failed. The original request had the cookies ${missing.join(', ')}. Pass them with --cookie ${missing[0]}=…, or in a replay.ts.`
    return { ...base, outcome: 'refused', says }
  }
  return {
    ...base,
    outcome: 'fixed',
    says: `The request no longer fails. Its status is ${status}.`,
  }
}

/** Returns a note if the error comes from a different build than the served one. */
export function otherBuild(buildId: string | null, servedBuild: string): string[] {
  if (buildId === null || buildId === servedBuild) return []
  return [
    `The error was thrown by the build ${buildId}, but this is the build ${servedBuild}. Lines may differ.`,
  ]
}

/** Returns notes about parts of the request that weren't stored. */
export function removedNotes({ removed, hasBody, action, method }: StoredRequest): string[] {
  return [
    ...(removed.length > 0
      ? [
          `These values were not stored. They are sent as "removed" or left out: ${removed.join(', ')}.`,
        ]
      : []),
    ...(hasBody && !action && method !== 'GET'
      ? ["The request's body wasn't stored. The request is sent without it."]
      : []),
  ]
}
