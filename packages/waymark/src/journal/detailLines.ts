import path from 'node:path'
import type { EntryDetail } from './detail.ts'
import type { JournalEntry } from './entry.ts'
import type { MappedFrame, SourcePosition } from './sourceMaps.ts'

/** How an entry is written. */
export type DetailStyle = {
  /** Paths are written from here. */
  readonly root: string
  readonly paint: Readonly<Record<'dim' | 'red', (text: string) => string>>
  /** How long ago it was, in words, or nothing. */
  readonly age: string
}

/** Writes an entry for a person. */
export function detailLines(detail: EntryDetail, style: DetailStyle): string[] {
  const { entry, frames, causes, componentFrames, code } = detail
  const { root, paint } = style
  const stack = (mapped: readonly MappedFrame[]) => mapped.map((each) => frameLine(each, style))
  const components =
    componentFrames.length > 0 ? ['', 'rendered by', ...stack(componentFrames)] : []
  return [
    paint.red(messageLine(entry)),
    ...restOfMessage(entry.message),
    '',
    ...factLines(entry, style),
    ...(code ? ['', placeText(code.place, root), code.text] : []),
    ...(frames.length > 0 ? ['', ...stack(frames)] : []),
    ...causes.flatMap((cause) => [
      '',
      `${cause.relation === 'cause' ? 'caused by' : 'with'} ${paint.red(messageLine(cause))}`,
      ...restOfMessage(cause.message),
      ...stack(cause.frames),
    ]),
    ...components,
  ]
}

/** Name and first line of the message. */
export function messageLine({ name, message }: Pick<JournalEntry, 'name' | 'message'>): string {
  const [first = ''] = message.split('\n', 1)
  return first === '' ? name : `${name}: ${first}`
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

function restOfMessage(message: string): string[] {
  return message
    .split('\n')
    .slice(1)
    .map((line) => `  ${line}`)
}

function frameLine({ frame, place }: MappedFrame, { root, paint }: DetailStyle): string {
  if (!place) return paint.dim(`  ${frame.text}`)
  const where = placeText(place, root)
  const { functionName } = frame
  const line = functionName === null ? `  at ${where}` : `  at ${functionName} (${where})`
  return place.isOwn ? line : paint.dim(line)
}

function placeText({ file, line, column }: SourcePosition, root: string): string {
  return `${path.relative(root, file)}:${line}:${column}`
}
