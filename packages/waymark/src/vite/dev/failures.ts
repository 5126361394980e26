import { stripVTControlCharacters } from 'node:util'
import type { ErrorPayload } from 'vite'
import { describeEntry, type EntryDetail } from '../../journal/detail.ts'
import type { JournalDriver } from '../../journal/journalDriver.ts'
import type { JournalEntry } from '../../journal/journalEntry.ts'
import type { MappedFrame, MapStack } from '../../journal/sourceMaps.ts'
import { type Cause, causeLabel, describeCauses, describeThrown } from '../../journal/thrownText.ts'
import { setBounded } from '../../shared/maps.ts'
import { tryOrUndefined } from '../../shared/neverThrows.ts'
import { type Explained, explainError } from './explainError.ts'
import { syntaxPlugin } from './moduleErrors.ts'

/** A failure as the overlay shows it. `digest` is `null` if the app couldn't be loaded. */
export type DevFailure = ErrorPayload['err'] & { readonly digest: string | null }

export type DevFailures = ReturnType<typeof createDevFailures>

const maxRemembered = 100
const findWithinMs = 2_000
const findEveryMs = 100

/** Stores a dev server's failures in memory, and finds older failures in the journal. */
export function createDevFailures({
  journal,
  root,
  mapStack,
}: {
  readonly journal: JournalDriver
  readonly root: string
  readonly mapStack: MapStack
}) {
  const remembered = new Map<string, DevFailure>()

  /** Returns a journal entry whose positions are mapped to the author's files. */
  async function detailOf(digest: string): Promise<EntryDetail | null> {
    const match = await journal.find(digest)
    const entry = match?.kind === 'alike' ? match.example : match?.entry
    return entry ? describeEntry(entry, mapStack) : null
  }

  return {
    detailOf,
    add(thrown: unknown, digest: string | null): DevFailure {
      const failure = { ...describeFailure(thrown, root), digest }
      const causes = describeCauses(thrown)
      const stack = [failure.stack, ...causeTexts(causes, failure.message, root)].join('\n\n')
      const whole = { ...failure, stack: stack.trimEnd() }
      if (digest !== null) setBounded(remembered, digest, whole, maxRemembered)
      return whole
    },
    /**
     * Finds a failure. Waits a moment, because the browser's report may still be on its way.
     * @returns `null` if the failure doesn't arrive in time
     */
    async find(digest: string): Promise<DevFailure | null> {
      const failure = remembered.get(digest)
      if (failure) return failure
      for (let waitedMs = 0; waitedMs < findWithinMs; waitedMs += findEveryMs) {
        const detail = await detailOf(digest)
        if (detail) return failureOf(detail, root)
        await new Promise((resolve) => setTimeout(resolve, findEveryMs))
      }
      return null
    },
    /** Returns a failure that was passed to `add` by the app's own handler. */
    remembered: (digest: string): DevFailure | null => remembered.get(digest) ?? null,
    describe: async (entry: JournalEntry): Promise<DevFailure> =>
      failureOf(await describeEntry(entry, mapStack), root),
  }
}

/** Formats an error's causes, except those that its message already contains. */
function causeTexts(causes: readonly Cause[], message: string, root: string): string[] {
  return causes.flatMap(({ relation, stack, name, message: behind }) => {
    const cause = explainError({ name: 'Error', message: behind, stack: stack ?? '' }, root)
    const [first = ''] = cause.message.split('\n', 1)
    const isRepeated = message.includes(first)
    return isRepeated ? [] : [`${causeLabel({ relation })} ${name}: ${behind}\n${cause.stack}`]
  })
}

function failureOf(detail: EntryDetail, root: string): DevFailure {
  const { entry, frames, causes, componentFrames, code } = detail
  const { name, message, digest } = entry
  const appComponents = componentFrames.filter(
    ({ place, frame }) => place?.isAppCode || isAppComponent(frame.text),
  )
  const explained = explainError(
    {
      name,
      message,
      code: entry.code,
      stack: framesText(frames),
      place: code?.place ?? null,
      isBrowser: entry.phase === 'browser',
    },
    root,
  )
  const behind = causes.map((cause) => ({ ...cause, stack: framesText(cause.frames) }))
  const components = appComponents.length > 0 ? [`rendered by\n${framesText(appComponents)}`] : []
  const parts = [explained.stack, ...causeTexts(behind, explained.message, root), ...components]
  return { ...payloadOf(explained), stack: parts.join('\n\n').trimEnd(), digest }
}

// True for a component for which React gives a position outside of any file.
function isAppComponent(frame: string): boolean {
  return (
    /^at [A-Z]\w* .*<anonymous>/.test(frame) &&
    !/^at (?:Decider|RouteFile|Activity|Suspense)\b/.test(frame)
  )
}

function framesText(frames: readonly MappedFrame[]): string {
  return frames
    .map(({ frame: { text, functionName }, place }) => {
      if (!place) return `    ${text}`
      return `    at ${functionName ?? '(anonymous)'} (${place.file}:${place.line}:${place.column})`
    })
    .join('\n')
}

// An error that may have a position, such as one from a Vite plugin.
type LocatedError = Error &
  Pick<ErrorPayload['err'], 'id' | 'frame' | 'loc' | 'plugin'> & { readonly code?: string }

/**
 * Describes a thrown value for the overlay: message, file, line and surrounding lines.
 *
 * @param root absolute path of the app's folder. Code outside of it, or in packages, isn't the
 * author's
 */
export function describeFailure(thrown: unknown, root: string): ErrorPayload['err'] {
  // `instanceof` throws for a revoked proxy.
  const isError = tryOrUndefined(() => thrown instanceof Error)
  if (!isError) return { message: describeThrown(thrown).message, stack: '' }
  const { name, message, stack = '', id, frame, loc, plugin, code } = thrown as LocatedError
  const place = loc && { ...loc, file: (loc.file ?? id ?? '').replace(/\?.*$/, '') }
  const explained = explainError(
    { name, message, stack, code: code ?? null, place: place ?? null },
    root,
  )
  const pluginFrame = frame && stripVTControlCharacters(frame)
  // Use only a syntax error's own frame, because other plugins' frames often show compiled code.
  return plugin === syntaxPlugin
    ? payloadOf({ ...explained, frame: pluginFrame ?? null })
    : payloadOf(explained, pluginFrame)
}

/** @param pluginFrame lines around the position, used if the file can't be read */
function payloadOf(
  { message, stack, place, frame }: Explained,
  pluginFrame?: string | undefined,
): ErrorPayload['err'] {
  const lines = frame ?? pluginFrame
  return {
    message,
    stack,
    ...(place && { id: place.file, loc: place }),
    ...(lines && { frame: lines }),
  }
}

export function failureText({ message, loc, frame, stack }: ErrorPayload['err']): string {
  const place = loc && `  at ${loc.file}:${loc.line}:${loc.column}`
  // A stack with a single frame would only repeat the position.
  const more = place && !stack.trim().includes('\n') ? '' : stack
  return [message, place, frame?.trimEnd(), more].filter(Boolean).join('\n')
}
