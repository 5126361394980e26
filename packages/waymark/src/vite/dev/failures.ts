import { readFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { ErrorPayload } from 'vite'
import { codeFrame } from '../../journal/codeFrame.ts'
import { describeEntry, type EntryDetail } from '../../journal/detail.ts'
import type { JournalDriver } from '../../journal/journalDriver.ts'
import type { MappedFrame, MapStack, SourcePosition } from '../../journal/sourceMaps.ts'
import { frameLines, parseFrame } from '../../journal/stackFrames.ts'
import {
  type Cause,
  causeLabel,
  describeCauses,
  describeThrown,
  messageLine,
} from '../../journal/thrownText.ts'
import { setBounded } from '../../shared/boundedMap.ts'
import { FrameworkError } from '../../shared/errors.ts'

/** A failure as the overlay shows it; it has no digest when the app could not be loaded. */
export type DevFailure = ErrorPayload['err'] & { readonly digest: string | null }

/** Failures of the app in the dev server, by digest. */
export type DevFailures = ReturnType<typeof createDevFailures>

const maxRemembered = 100
const findWithinMs = 2_000
const findEveryMs = 100

/** Remembers the failures of a dev server, and finds older ones in its journal. */
export function createDevFailures({
  journal,
  report,
  mapStack,
}: {
  readonly journal: JournalDriver
  readonly report: FailureReport
  readonly mapStack: MapStack
}) {
  const remembered = new Map<string, DevFailure>()

  /** An entry of the journal, mapped to the author's files. */
  async function detailOf(digest: string): Promise<EntryDetail | null> {
    const found = await journal.find(digest)
    const entry = found?.kind === 'alike' ? found.example : found?.entry
    return entry ? describeEntry(entry, mapStack) : null
  }

  return {
    detailOf,
    add(thrown: unknown, digest: string | null): DevFailure {
      const described = report(thrown)
      const stack = [described.stack, ...describeCauses(thrown).map(causeText)].join('\n\n')
      const failure = { ...described, stack: stack.trim(), digest }
      if (digest !== null) setBounded(remembered, digest, failure, maxRemembered)
      return failure
    },
    /** @returns `null` if there is none after a while: that of a browser may be on its way */
    async find(digest: string): Promise<DevFailure | null> {
      const own = remembered.get(digest)
      if (own) return own
      for (let waitedMs = 0; waitedMs < findWithinMs; waitedMs += findEveryMs) {
        const detail = await detailOf(digest)
        if (detail) return failureOf(detail, digest)
        await new Promise((resolve) => setTimeout(resolve, findEveryMs))
      }
      return null
    },
  }
}

function causeText({ relation, stack, ...text }: Omit<Cause, 'code'>): string {
  const frames = (stack ?? '').split('\n').map((line) => `    ${line}`)
  return `${causeLabel({ relation })} ${messageLine(text)}\n${frames.join('\n')}`
}

function failureOf(detail: EntryDetail, digest: string): DevFailure {
  const { entry, frames, causes, componentFrames, code } = detail
  const components =
    componentFrames.length > 0 ? [`rendered by\n${framesText(componentFrames)}`] : []
  const behind = causes.map((cause) => causeText({ ...cause, stack: framesText(cause.frames) }))
  const message = `${entry.name}: ${entry.message}`
  const stack = [framesText(frames), ...behind, ...components].join('\n\n').trim()
  if (!code) return { message, stack, digest }
  const { file, line, column } = code.place
  return { message, stack, digest, id: file, loc: { file, line, column }, frame: `${code.text}\n` }
}

function framesText(frames: readonly MappedFrame[]): string {
  return frames
    .map(({ frame: { text, functionName }, place }) => {
      if (!place) return `    ${text}`
      return `    at ${functionName ?? '(anonymous)'} (${place.file}:${place.line}:${place.column})`
    })
    .join('\n')
}

/** Describes a thrown value for the overlay: message, file, line and the lines around it. */
export type FailureReport = (thrown: unknown) => ErrorPayload['err']

// Errors of Vite's plugins have a place already.
type LocatedError = Error & Pick<ErrorPayload['err'], 'id' | 'frame' | 'plugin' | 'loc'>

type Place = Pick<SourcePosition, 'file' | 'line' | 'column'>

/** @param root absolute; places outside of it or in its packages are not the author's */
export function createFailureReport(root: string): FailureReport {
  return (thrown) => {
    if (!isError(thrown)) return { message: describeThrown(thrown).message, stack: '' }
    const message = stripVTControlCharacters(thrown.message)
    const stack = stripVTControlCharacters(thrown.stack ?? '')
    // Its message says all; the place that threw it does not help.
    if (thrown instanceof FrameworkError || thrown.name === 'FrameworkError') {
      return { message, stack: '' }
    }
    const { id, frame, plugin, loc } = thrown as LocatedError
    if (loc || frame) {
      return {
        message,
        stack: stack.slice(stack.indexOf('\n    at')),
        ...(id && { id }),
        ...(plugin && { plugin }),
        ...(frame && { frame: stripVTControlCharacters(frame) }),
        ...(loc && { loc }),
      }
    }
    const place = firstPlaceIn(stack, root)
    return place
      ? { message, stack, id: place.file, loc: place, ...frameAt(place) }
      : { message, stack }
  }
}

function frameAt({ file, line, column }: Place): Pick<ErrorPayload['err'], 'frame'> {
  try {
    return { frame: codeFrame(readFileSync(file, 'utf8'), line, column) }
  } catch {
    // The file was deleted; its name still helps.
    return {}
  }
}

function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error
  } catch {
    // A revoked proxy has no prototype.
    return false
  }
}

/**
 * Finds the first line of a stack that is in the project's own files.
 * @returns `null` when there is none
 */
export function firstPlaceIn(stack: string, root: string): Place | null {
  for (const { file: url, line, column } of frameLines(stack).map(parseFrame)) {
    const file = url?.replace(/^file:\/\//, '').replace(/\?.*$/, '')
    if (!file?.startsWith(root + path.sep) || file.includes('/node_modules/')) continue
    return { file, line, column }
  }
  return null
}
