import { formatPlace, type Place } from '../contract/finding.ts'
import type { ComponentReads } from '../reads/recordReads.ts'
import type { SentComponent } from './exposure.ts'

/** A field that a component was sent and didn't read. */
export type UnreadField = {
  readonly component: string
  readonly path: string
  readonly bytes: number
  /** Parts of the app that have sent the field, such as `page /users`. */
  readonly entries: readonly string[]
  readonly place: Place | null
}

export type FieldReads = {
  readonly unread: readonly UnreadField[]
  /** Names of components whose reads couldn't be observed. */
  readonly unobserved: readonly string[]
}

/** Compares the fields that components were sent with those that they read. */
export function findUnread(
  components: readonly SentComponent[],
  observed: readonly ComponentReads[],
): FieldReads {
  const reads = new Map<string, Set<string>>()
  for (const { key, paths } of observed) {
    reads.set(key, new Set([...(reads.get(key) ?? []), ...paths]))
  }
  const unread: UnreadField[] = []
  const unobserved: string[] = []
  for (const component of components) {
    const ofComponent = reads.get(`${component.file} ${component.exportName}`)
    if (ofComponent) unread.push(...unreadOf(component, ofComponent))
    else if (component.fields.size > 0) unobserved.push(component.name)
  }
  return { unread: unread.sort((a, b) => b.bytes - a.bytes), unobserved: unobserved.sort() }
}

function unreadOf({ name, fields, place }: SentComponent, reads: ReadonlySet<string>) {
  const unread = new Map<string, { bytes: number; readonly entries: Set<string> }>()
  for (const [path, { bytes, entries }] of fields) {
    const unreadPart = findUnreadPart(path, reads)
    if (unreadPart === null) continue
    const group = unread.get(unreadPart) ?? { bytes: 0, entries: new Set() }
    group.bytes += bytes
    for (const entry of entries) group.entries.add(entry)
    unread.set(unreadPart, group)
  }
  return [...unread].map(([path, { bytes, entries }]): UnreadField => {
    return { component: name, path, bytes, entries: [...entries].sort(), place }
  })
}

/** Returns the outermost part of a path that wasn't read: `user.role` for `user.role.title`. */
function findUnreadPart(path: string, reads: ReadonlySet<string>): string | null {
  if (/^(?:children|key|ref)\b/.test(path) || reads.has('.**')) return null
  const ends = [...path.matchAll(/\.|\[\]/g)].map(({ index }) => index)
  for (const part of [...ends.map((end) => path.slice(0, end)), path]) {
    if (reads.has(`${part}.**`)) return null
    // An array may have been empty.
    if (!reads.has(part)) return part === path && part.endsWith('[]') ? null : part
  }
  return null
}

/** Lines for a terminal. */
export function unreadLines({ unread, unobserved }: FieldReads): string[] {
  const lines = unread.map(({ component, path, bytes, entries, place }) => {
    const at = place === null ? '' : ` ${formatPlace(place)}`
    return `  ${component}: ${path}, ${bytes} bytes, sent by the ${entries.join(', ')}.${at}`
  })
  return [
    unread.length === 0
      ? 'All fields that components were sent were read in these runs.'
      : 'Sent and not read in these runs:',
    ...lines,
    ...(unobserved.length === 0 ? [] : [`Not observed: ${unobserved.join(', ')}.`]),
  ]
}
