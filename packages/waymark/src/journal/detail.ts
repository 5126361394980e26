import path from 'node:path'
import type { JournalEntry } from './journalEntry.ts'
import { packageHint } from './packageHint.ts'
import { codeFrame, type MappedFrame, type MapStack, type SourcePosition } from './sourceMaps.ts'
import { type Cause, causeLabel, messageLines } from './thrownText.ts'

/** An error in the journal, with its stacks mapped to the app's source files. */
export type EntryDetail = {
  readonly entry: JournalEntry
  readonly frames: readonly MappedFrame[]
  readonly causes: readonly (Cause & { readonly frames: readonly MappedFrame[] })[]
  readonly componentFrames: readonly MappedFrame[]
  readonly code: { readonly place: SourcePosition; readonly text: string } | null
}

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

/** Returns the JSON that `waymark errors <digest> --json` prints for an error. */
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
    if (!place?.isAppCode || place.source === null) continue
    return { place, text: codeFrame(place.source, place.line, place.column) }
  }
  return null
}

function frameJson({ frame, place }: MappedFrame): unknown {
  return { text: frame.text, functionName: frame.functionName, place: place && placeJson(place) }
}

function placeJson({ file, line, column, isAppCode }: SourcePosition): object {
  return { file, line, column, isAppCode }
}

export type DetailStyle = {
  /** Printed paths are relative to this folder. */
  readonly root: string
  readonly paint: Readonly<Record<'dim' | 'red', (text: string) => string>>
  readonly age: string
}

/** Returns the lines that `waymark errors <digest>` prints for an error. */
export function detailLines(detail: EntryDetail, style: DetailStyle): string[] {
  const { entry, frames, causes, componentFrames, code } = detail
  const hint = packageHint(entry)
  const stack = (mapped: readonly MappedFrame[]) => mapped.map((each) => frameLine(each, style))
  const heading = ([first = '', ...rest]: string[], label = '') => [
    label + style.paint.red(first),
    ...rest,
  ]
  return [
    ...heading(messageLines(entry)),
    ...(hint ? ['', hint] : []),
    '',
    ...factLines(entry, style),
    ...(code ? ['', placeText(code.place, style.root), code.text] : []),
    ...(frames.length > 0 ? ['', ...stack(frames)] : []),
    ...causes.flatMap((cause) => [
      '',
      ...heading(messageLines(cause), `${causeLabel(cause)} `),
      ...stack(cause.frames),
    ]),
    ...(componentFrames.length > 0 ? ['', 'rendered by', ...stack(componentFrames)] : []),
  ]
}

function factLines(entry: JournalEntry, { paint, age }: DetailStyle): string[] {
  const { timeMs, phase, method, path: target, route, status, browser } = entry
  const facts: [string, string | number | null][] = [
    ['digest', entry.digest],
    ['time', [new Date(timeMs).toISOString(), age].filter(Boolean).join(', ')],
    ['phase', phase],
    ['request', target && [method, target].filter(Boolean).join(' ')],
    ['route', route],
    ['status', status],
    ['code', entry.code],
    ['fingerprint', entry.fingerprint],
    ['request id', entry.requestId],
    ['trace', entry.traceparent],
    ['build', entry.buildId],
    ['caught by', browser?.source ?? null],
    ['browser', browser?.userAgent ?? null],
    ['visited', browser?.navigations.join(' → ') || null],
  ]
  return facts.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [`  ${paint.dim(name.padEnd(11))}  ${value}`],
  )
}

function frameLine({ frame, place }: MappedFrame, { root, paint }: DetailStyle): string {
  if (!place) return paint.dim(`  ${frame.text}`)
  const where = placeText(place, root)
  const line = `  at ${frame.functionName === null ? where : `${frame.functionName} (${where})`}`
  return place.isAppCode ? line : paint.dim(line)
}

function placeText({ file, line, column }: SourcePosition, root: string): string {
  return `${path.relative(root, file)}:${line}:${column}`
}
