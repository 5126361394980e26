import { relative } from 'node:path'
import { createDescribe, detailJson, type EntryDetail } from 'waymark/internal/node'
import type { ReplayResult } from './judgeReplay.ts'
import { runReplay } from './runReplay.ts'
import { sessionFor } from './session.ts'
import { writeTest } from './writeTest.ts'

type Completed = {
  readonly result: ReplayResult
  /** Of what was thrown now, else of the error. */
  readonly detail: EntryDetail | null
  readonly notes: readonly string[]
}

/** Adds the stack in the sources, and the test where one is wanted. */
export async function completeReplay(
  root: string,
  result: ReplayResult,
  wantsTest = false,
): Promise<Completed> {
  const { entry, failure } = result
  const described = failure ?? entry
  const detail = described && (await createDescribe(root)(described))
  const frames = detail?.frames ?? []
  const isUnmapped = frames.length > 0 && frames.every(({ place }) => place === null)
  const maps = `The source maps of the build ${described?.buildId ?? ''} are not in .waymark/maps, so lines are those of the build. Copy that folder from where the app was built.`
  const notes = [
    ...result.notes,
    ...(isUnmapped ? [maps] : []),
    ...(wantsTest ? [testNote(root, result)] : []),
  ]
  return { result, detail, notes }
}

function testNote(root: string, result: ReplayResult): string {
  if (result.outcome === 'fixed') return 'No test was written: it would be green.'
  const isRun = result.outcome === 'same' || result.outcome === 'other'
  const written = isRun || result.entry?.phase === 'browser' ? writeTest(root, result) : null
  if (!written) return 'No test was written, since the request could not be sent.'
  const file = relative(root, written.file)
  return written.isNew
    ? `Wrote ${file}, which is red.`
    : `${file} is there already, and stays as it is.`
}

export function replayJson({ result, detail, notes }: Completed): object {
  const { outcome, says, status, entry, request } = result
  const error = detail && detailJson(detail)
  return { outcome, says, notes, status, digest: entry?.digest ?? null, request, error }
}

/** For the tools of coding agents. */
export async function replayDigest(
  root: string,
  digest: string,
  { test, runAction }: { readonly test?: boolean; readonly runAction?: boolean } = {},
): Promise<object> {
  const result = await runReplay(digest, { root, runAction, openSession: sessionFor(root, {}) })
  return replayJson(await completeReplay(root, result, test))
}
