import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { isBuilt, serveBuild } from '@waymark/testing/build'
import type { DigestMatch, JournalDriver, JournalEntry } from 'waymark/drivers'
import {
  type BuildManifest,
  buildLayout,
  digestHeader,
  loadEnvFiles,
  openAppJournal,
  readCompatibleManifest,
} from 'waymark/plugin/node'
import { readStoredRequest, type StoredRequest } from '../server/storedRequest.ts'
import {
  judge,
  otherBuild,
  type ReplayResult,
  reasonToRefuse,
  removedNotes,
} from './judgeReplay.ts'
import { type ReplaySession, sendRequest } from './sendRequest.ts'
import type { ReplayContext } from './session.ts'

export type ReplayOptions = {
  readonly root: string
  /** Origin of a running server to use instead of the build. */
  readonly url?: string | undefined
  /** True to also send requests that may change data. */
  readonly runAction?: boolean | undefined
  /** Creates the session for a request. Called just before the request is sent. */
  readonly openSession: (context: ReplayContext) => Promise<ReplaySession>
}

const withinMs = 30_000
const journalTimeoutMs = 3_000

/** Finds an error in an app's journal and sends the error's request again. */
export async function runReplay(digest: string, options: ReplayOptions): Promise<ReplayResult> {
  const journal = await openJournalOf(options.root)
  try {
    const occurrence = await journal.find(digest)
    const entry = occurrence?.kind === 'alike' ? occurrence.example : (occurrence?.entry ?? null)
    if (!entry) return refuse(unknownText(digest, occurrence), [], null)
    const notes =
      occurrence?.kind === 'alike'
        ? [`${digest} was only counted, so this is ${entry.digest}, an error of the same kind.`]
        : []
    return await replayEntry(entry, notes, journal, options)
  } finally {
    await journal.close()
  }
}

function unknownText(digest: string, occurrence: DigestMatch | null): string {
  return occurrence
    ? `${digest} was one of many similar errors, and the journal no longer has the details of any of them.`
    : `The journal of this app has no error ${digest}. It keeps errors for 14 days, up to 64 MB. To search another app's journal, add its folder: waymark replay <digest> <folder>`
}

async function replayEntry(
  entry: JournalEntry,
  notes: readonly string[],
  journal: JournalDriver,
  options: ReplayOptions,
): Promise<ReplayResult> {
  const request = entry.replay === undefined ? null : readStoredRequest(entry.replay)
  const { root, runAction } = options
  const reason = reasonToRefuse(entry, request, { root, runAction })
  if (reason !== null) {
    const stored = typeof request === 'string' ? null : request
    return { ...refuse(reason, notes, entry), request: stored }
  }
  const stored = request as StoredRequest
  const sent = options.url === undefined ? sendToBuild : sendToServer
  try {
    const result = await sent(stored, entry, journal, options)
    return { ...result, notes: [...notes, ...result.notes, ...removedNotes(stored)] }
  } catch (error) {
    const { message, cause } = error as Error
    const why = cause instanceof Error ? `${message}: ${cause.message}` : message
    return { ...refuse(`The request could not be sent: ${why}`, notes, entry), request: stored }
  }
}

function refuse(says: string, notes: readonly string[], entry: JournalEntry | null): ReplayResult {
  const result = { says, notes, status: null, entry, request: null, failure: null }
  return { ...result, outcome: 'refused', sentCookies: [] }
}

type Sender = (
  request: StoredRequest,
  entry: JournalEntry,
  journal: JournalDriver,
  options: ReplayOptions,
) => Promise<ReplayResult>

const sendToBuild: Sender = async (request, entry, _journal, { root, openSession }) => {
  const manifest = readManifest(root)
  const app = await serveBuild(root)
  try {
    const requestId = randomUUID()
    const session = await openSession({ entry, origin: app.origin })
    const response = await sendRequest(request, {
      origin: app.origin,
      session,
      requestId,
      withinMs,
    })
    await readBody(response)
    const find = async () => {
      await app.sync()
      return app.thrown.filter((each) => each.requestId === requestId)
    }
    const thrown = await waitFor(find, entry)
    const failure = thrown.find(({ fingerprint }) => fingerprint === entry.fingerprint) ?? thrown[0]
    const stale =
      'Files have changed since the build, but the request was sent to the build. To test the changes, run waymark build.'
    const notes = [
      ...otherBuild(entry.buildId, manifest.buildId),
      ...(isBuilt(root) ? [] : [stale]),
    ]
    return { ...judge({ entry, request, response, session }, failure ?? null), notes }
  } finally {
    await app.stop()
  }
}

/** Waits for errors that may be thrown after the response. */
async function waitFor(
  find: () => Promise<JournalEntry[]>,
  { phase, fingerprint }: JournalEntry,
): Promise<JournalEntry[]> {
  const endMs = Date.now() + (phase === 'after' || phase === 'cache' ? journalTimeoutMs : 0)
  for (;;) {
    const thrown = await find()
    if (Date.now() >= endMs || thrown.some((each) => each.fingerprint === fingerprint))
      return thrown
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const sendToServer: Sender = async (request, entry, journal, { url = '', openSession }) => {
  const { origin } = new URL(url)
  const session = await openSession({ entry, origin })
  const response = await sendRequest(request, {
    origin,
    session,
    requestId: randomUUID(),
    withinMs,
  })
  await readBody(response)
  const digest = response.headers.get(digestHeader)
  if (digest === null) return judge({ entry, request, response, session }, null)
  const occurrence = await waitForOccurrence(journal, digest)
  const failure = occurrence?.kind === 'whole' ? occurrence.entry : null
  const fingerprint =
    occurrence?.kind === 'alike' ? occurrence.alike.fingerprint : failure?.fingerprint
  if (failure || fingerprint !== undefined) {
    return judge(
      { entry, request, response, session },
      failure ?? { ...entry, digest, fingerprint: fingerprint ?? '' },
    )
  }
  const says = `The request fails there, with status ${response.status} and the digest ${digest}. This command doesn't read the journal of ${origin}, so run waymark errors ${digest} there to see whether the error is the same.`
  const status = response.status
  const sentCookies = request.cookies.filter((name) => session.cookies?.[name] !== undefined)
  return { outcome: 'other', says, notes: [], status, entry, request, failure: null, sentCookies }
}

/**
 * Waits until the journal contains an error. Servers write entries in batches, and counts of similar
 * errors every second.
 */
async function waitForOccurrence(
  journal: JournalDriver,
  digest: string,
): Promise<DigestMatch | null> {
  const endMs = Date.now() + journalTimeoutMs
  for (;;) {
    const occurrence = await journal.find(digest)
    if (occurrence || Date.now() >= endMs) return occurrence
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const maxBodyBytes = 32 * 2 ** 20

/**
 * Reads the body to its end, because a streamed response may fail late. Reads only part of an endless
 * body.
 */
async function readBody(response: Response): Promise<void> {
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > maxBodyBytes) return
  }
}

async function openJournalOf(root: string): Promise<JournalDriver> {
  const env = { ...process.env }
  loadEnvFiles(root, findBuild(root)?.mode ?? 'production', env)
  const log = (line: string) => console.error(line)
  return openAppJournal(root, { env, log })
}

/** @throws `NO_BUILD`, `OTHER_BUILD` */
function readManifest(root: string): BuildManifest {
  return readCompatibleManifest(join(root, buildLayout.folder))
}

/** @returns `null` if there is no build that this version can serve */
function findBuild(root: string): BuildManifest | null {
  try {
    return readManifest(root)
  } catch {
    // Serving the build reports this error.
    return null
  }
}
