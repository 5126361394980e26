import type { ErrorPayload } from 'vite'
import { describeEntry, type EntryDetail } from '../../journal/detail.ts'
import { messageLine } from '../../journal/detailLines.ts'
import type { JournalDriver } from '../../journal/driver.ts'
import type { MappedFrame, MapStack } from '../../journal/sourceMaps.ts'
import { describeCauses } from '../../journal/thrown.ts'
import type { FailureReport } from './failureReport.ts'

/** A failure as the overlay shows it; without a digest where the app itself could not be loaded. */
export type DevFailure = ErrorPayload['err'] & { readonly digest: string | null }

/** Failures of the app that runs in the dev server, by digest. */
export type DevFailures = {
  /** Describes what was thrown, and remembers it. */
  add(thrown: unknown, digest: string | null): DevFailure
  /** @returns `null` when there is none, even after a while: a browser's may be on its way */
  find(digest: string): Promise<DevFailure | null>
  /** An entry of the journal, led back to the author's files. */
  detailOf(digest: string): Promise<EntryDetail | null>
}

const maxRemembered = 100
const findWithinMs = 2_000
const findEveryMs = 100

/** Makes the memory of what has failed in a dev server. */
export function createDevFailures({
  journal,
  report,
  mapStack,
}: {
  readonly journal: JournalDriver
  readonly report: FailureReport
  readonly mapStack: MapStack
}): DevFailures {
  const remembered = new Map<string, DevFailure>()

  async function detailOf(digest: string): Promise<EntryDetail | null> {
    const found = await journal.find(digest)
    const entry = found?.kind === 'alike' ? found.example : found?.entry
    return entry ? describeEntry(entry, mapStack) : null
  }

  return {
    detailOf,
    add(thrown, digest) {
      const described = report(thrown)
      const stack = [described.stack, ...describeCauses(thrown).map(causeText)].join('\n\n')
      const failure = { ...described, stack: stack.trim(), digest }
      if (digest !== null) remembered.set(digest, failure)
      const [oldest] = remembered.keys()
      if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
      return failure
    },
    async find(digest) {
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

function causeText({
  relation,
  stack,
  ...text
}: {
  readonly relation: 'cause' | 'member'
  readonly name: string
  readonly message: string
  readonly stack: string | null
}): string {
  const frames = (stack ?? '').split('\n').map((line) => `    ${line}`)
  return `${relation === 'cause' ? 'caused by' : 'with'} ${messageLine(text)}\n${frames.join('\n')}`
}

function failureOf(
  { entry, frames, causes, componentFrames, code }: EntryDetail,
  digest: string,
): DevFailure {
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
