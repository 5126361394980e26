import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { JournalEntry } from 'waymark/drivers'
import { actionName, type StoredRequest } from '../server/storedRequest.ts'
import type { ReplaySession } from './sendRequest.ts'

/** The outcome of a replay. */
export type ReplayOutcome =
  /** It fails with the same fingerprint. */
  | 'same'
  /** It fails with another one, or with one that only the other server knows. */
  | 'other'
  | 'fixed'
  /** It could not be run. */
  | 'refused'

export type ReplayResult = {
  readonly outcome: ReplayOutcome
  readonly says: string
  /** What to do, and what may make the result another one. */
  readonly notes: readonly string[]
  readonly status: number | null
  readonly entry: JournalEntry | null
  readonly request: StoredRequest | null
  /** The error that the replay has thrown. */
  readonly failure: JournalEntry | null
  /** Names of the cookies of the first request that this one had, too. */
  readonly sentCookies: readonly string[]
}

/** @returns why a request is not sent; `null` when it is */
export function reasonToRefuse(
  entry: Pick<JournalEntry, 'phase' | 'buildId' | 'path' | 'browser'>,
  request: StoredRequest | string | null,
  { root, runAction = false }: { readonly root: string; readonly runAction?: boolean | undefined },
): string | null {
  const { phase, buildId } = entry
  if (phase === 'browser')
    return `It was thrown in a browser, where no request can repeat it: --test writes one that opens the same pages in a browser, if these alone cause it. The way there: ${wayTo(entry).join(' → ')}.`
  if (request === null) {
    if (buildId === 'development')
      return 'The error was thrown in the dev server, which stores no requests. Open the page there again.'
    return phase === 'prerender' || phase === 'startup' || phase === 'process'
      ? `It was thrown outside of a request (${phase}): run waymark build, or waymark start.`
      : 'The request of this error was not stored. List replay() of @waymark/replay/vite in vite.config.ts, build and deploy. The requests of later errors are then stored.'
  }
  if (typeof request === 'string') return `Its entry can't be used: ${request}.`
  const { action, method } = request
  if (action && action.arguments === null)
    return `The arguments of the action were not stored. Allow them in vite.config.ts: replay({ arguments: ['${nameAction(root, action.id)}'] }). The arguments of later errors are then stored.`
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  if ((action || !isRead) && !runAction)
    return `${action ? 'It calls an action' : `It is a ${method}`}, which may change data or send mail once more. Add --run-action if that is fine here.`
  return null
}

/** The pages that a browser had visited, and the one of the error: paths without query values. */
export function wayTo({ path, browser }: Pick<JournalEntry, 'path' | 'browser'>): string[] {
  const way = [...(browser?.navigations ?? []), path ?? '/']
  // A browser has sent them.
  const pathnames = way.filter((each) => /^\/(?![/\\])[\x21-\x7e]*$/.test(each))
  return pathnames.filter((each, at) => each !== pathnames[at - 1])
}

/** @returns `app/actions.ts#addToCart`; the id itself, where no file of the app has it */
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

/** @param failure what was thrown now */
export function judge(
  { entry, request, response, session }: Judged,
  failure: JournalEntry | null,
): ReplayResult {
  const { status } = response
  const sentCookies = request.cookies.filter((name) => session.cookies?.[name] !== undefined)
  const base = { status, entry, request, failure, notes: [], sentCookies }
  if (failure?.fingerprint === entry.fingerprint) {
    return { ...base, outcome: 'same', says: `It fails the same way, with status ${status}.` }
  }
  if (failure) {
    const says = `It fails otherwise, with status ${status}: ${failure.digest}, fingerprint ${failure.fingerprint} in place of ${entry.fingerprint}.`
    return { ...base, outcome: 'other', says }
  }
  const location = response.headers.get('location')
  const missing = request.cookies.filter((name) => !sentCookies.includes(name))
  const isTurnedAway = [401, 403, 404].includes(status) || location !== null
  if (isTurnedAway && missing.length > 0) {
    const to =
      location === null ? '' : ` to ${location.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)}`
    const says = `It was turned away, with status ${status}${to}, before it could fail. The request had the cookies ${missing.join(', ')}: give them with --cookie ${missing[0]}=…, or by a replay.ts.`
    return { ...base, outcome: 'refused', says }
  }
  return { ...base, outcome: 'fixed', says: `It no longer fails: status ${status}.` }
}

/** A note where an error is of another build than the one that is served. */
export function otherBuild(buildId: string | null, servedBuild: string): string[] {
  if (buildId === null || buildId === servedBuild) return []
  return [
    `It was thrown by the build ${buildId}, and this is the build ${servedBuild}: lines may differ.`,
  ]
}

/** Notes about what a request lacks. */
export function removedNotes({ removed, hasBody, action, method }: StoredRequest): string[] {
  return [
    ...(removed.length > 0
      ? [
          `These values were not stored. They are sent as "removed" or left out: ${removed.join(', ')}.`,
        ]
      : []),
    ...(hasBody && !action && method !== 'GET'
      ? ['The body of the request was not stored. The request is sent without it.']
      : []),
  ]
}
