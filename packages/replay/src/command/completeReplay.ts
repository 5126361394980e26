import { rmSync } from 'node:fs'
import { relative } from 'node:path'
import { createDescribe, detailJson, type EntryDetail } from 'waymark/plugin/node'
import type { ReplayResult } from './judgeReplay.ts'
import { runReplay } from './runReplay.ts'
import { runTest, type TestRun } from './runTest.ts'
import { sessionFor } from './session.ts'
import { writeTest } from './writeTest.ts'

type Completed = {
  readonly result: ReplayResult
  /** Details of the error that the replay has thrown, or else of the recorded error. */
  readonly detail: EntryDetail | null
  readonly notes: readonly string[]
}

type CompleteOptions = {
  readonly wantsTest?: boolean | undefined
  /** Cookies from the command line, which the replayed request included. */
  readonly cookies?: Readonly<Record<string, string>>
}

/** Adds the stack in source files and, on request, a test for the error. */
export async function completeReplay(
  root: string,
  result: ReplayResult,
  { wantsTest = false, cookies = {} }: CompleteOptions = {},
): Promise<Completed> {
  const { entry, failure } = result
  const described = failure ?? entry
  const detail = described && (await createDescribe(root)(described))
  const frames = detail?.frames ?? []
  const isUnmapped = frames.length > 0 && frames.every(({ place }) => place === null)
  const maps = `The source maps of the build ${described?.buildId ?? ''} aren't in .waymark/maps, so the lines refer to the built files. Copy that folder from the machine that built the app.`
  const notes = [
    ...result.notes,
    ...(isUnmapped ? [maps] : []),
    ...(wantsTest ? [await writeAndRunTest(root, result, cookies)] : []),
  ]
  return { result, detail, notes }
}

/** @returns the result of the test; a new test that passes doesn't show the error and is deleted */
async function writeAndRunTest(
  root: string,
  result: ReplayResult,
  cookies: Readonly<Record<string, string>>,
): Promise<string> {
  if (result.outcome === 'fixed') return 'No test was written, because it would pass.'
  const { outcome, entry } = result
  const isRun = outcome === 'same' || outcome === 'other'
  const isOfBrowser = entry?.phase === 'browser'
  const written = isRun || isOfBrowser ? writeTest(root, result) : null
  if (!written) return 'No test was written, because the request could not be sent.'
  const { file, isNew } = written
  const name = relative(root, file)
  const run = await runTest(root, file, cookies)
  if (!isNew) return `${name} already exists and wasn't changed. ${describeRun(run)}`
  if (run.kind !== 'green') return `Wrote ${name}. ${describeRun(run)}`
  rmSync(file)
  return isOfBrowser
    ? "No test was written, because opening these pages in a browser doesn't cause the error. It may need a click or typed text, which isn't stored. Write a test by hand that also performs the click or types the text."
    : "No test was written, because a test for this request passed. The error depends on something that wasn't stored."
}

function describeRun(run: TestRun): string {
  switch (run.kind) {
    case 'green':
      return 'The test ran and passed.'
    case 'red':
      return `The test ran and failed: ${run.reason}`
    case 'not run':
      return `The test couldn't be run, so it may pass or fail: ${run.reason}`
  }
}

export function replayJson({ result, detail, notes }: Completed): object {
  const { outcome, says, status, entry, request } = result
  const error = detail && detailJson(detail)
  return { outcome, says, notes, status, digest: entry?.digest ?? null, request, error }
}

/** Replays an error for the tools of coding agents. */
export async function replayDigest(
  root: string,
  digest: string,
  { test, runAction }: { readonly test?: boolean; readonly runAction?: boolean } = {},
): Promise<object> {
  const result = await runReplay(digest, { root, runAction, openSession: sessionFor(root, {}) })
  return replayJson(await completeReplay(root, result, { wantsTest: test }))
}
