import { codeFrame } from './codeFrame.ts'
import type { JournalEntry } from './entry.ts'
import type { MappedFrame, MapStack, SourcePosition } from './sourceMaps.ts'
import type { Cause } from './thrown.ts'

/** An entry whose stacks have been led back to the author's files. */
export type EntryDetail = {
  readonly entry: JournalEntry
  readonly frames: readonly MappedFrame[]
  readonly causes: readonly (Cause & { readonly frames: readonly MappedFrame[] })[]
  readonly componentFrames: readonly MappedFrame[]
  /** The lines around the first place in the app's own files. */
  readonly code: { readonly place: SourcePosition; readonly text: string } | null
}

/** Leads the stacks of an entry back to the author's files. */
export async function describeEntry(entry: JournalEntry, mapStack: MapStack): Promise<EntryDetail> {
  const origin = { isBrowser: entry.phase === 'browser', buildId: entry.buildId }
  const map = async (stack: string | null) => (stack === null ? [] : mapStack(stack, origin))
  const frames = await map(entry.stack)
  const causes = await Promise.all(
    entry.causes.map(async (cause) => ({ ...cause, frames: await map(cause.stack) })),
  )
  const componentFrames = await map(entry.browser?.componentStack ?? null)
  const stacks = [frames, ...causes.map((cause) => cause.frames), componentFrames]
  return { entry, frames, causes, componentFrames, code: firstCode(stacks.flat()) }
}

/** Describes an entry for a machine. */
export function detailJson({ entry, frames, causes, componentFrames, code }: EntryDetail): unknown {
  return {
    ...entry,
    frames: frames.map(frameJson),
    causes: causes.map((cause) => ({ ...cause, frames: cause.frames.map(frameJson) })),
    componentFrames: componentFrames.map(frameJson),
    code: code && { ...placeJson(code.place), text: code.text },
  }
}

function firstCode(frames: readonly MappedFrame[]): EntryDetail['code'] {
  for (const { place } of frames) {
    if (!place?.isOwn || place.source === null) continue
    return { place, text: codeFrame(place.source, place.line, place.column) }
  }
  return null
}

function frameJson({ frame, place }: MappedFrame): unknown {
  return { text: frame.text, functionName: frame.functionName, place: place && placeJson(place) }
}

function placeJson({ file, line, column, isOwn }: SourcePosition): object {
  return { file, line, column, isOwn }
}
