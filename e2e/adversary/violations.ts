import { accessOf, guardedText } from './appMap.ts'
import type { Outcome } from './exchange.ts'
import { type AttackRequest, isPrivileged } from './request.ts'
import type { Seen } from './target.ts'

/** What a server must not do, whatever it is sent. */
export type ViolationKind =
  | 'the server ended'
  | 'a slot was held'
  | 'a guarded action ran'
  | 'a server error'
  | 'guarded text left'
  | 'a response without an end'
  | 'too much processor time'

/** Something that a server did and must not do. */
export type Violation = {
  readonly kind: ViolationKind
  /** Which of them, where there are several: the action that ran, the status, whose text left. */
  readonly detail: string
}

/** What of one request's outcome must not be. @param seen by the app, of this request */
export function violationsOf(
  request: AttackRequest,
  { kind, response }: Outcome,
  seen: readonly Seen[],
): Violation[] {
  const found: Violation[] = []
  const wrong = wrongAction(seen)
  if (wrong !== null) found.push({ kind: 'a guarded action ran', detail: wrong })
  if (kind === 'endless') found.push({ kind: 'a response without an end', detail: '' })
  if (response === null) return found
  const { status, text } = response
  if (status >= 500 && !isOfApp(status, seen))
    found.push({ kind: 'a server error', detail: String(status) })
  const shown = shownText(request, text)
  if (shown !== null) found.push({ kind: 'guarded text left', detail: shown })
  return found
}

// A page that fails on purpose says so first; an action that awaits what it is given may do so
// for longer than it may run.
function isOfApp(status: number, seen: readonly Seen[]): boolean {
  return seen.some(({ name }) => name === 'thrown' || (name === 'awaitAll' && status === 504))
}

/** The action that ran though guards refuse it, or besides the one that a request may name. */
export function wrongAction(seen: readonly Seen[]): string | null {
  const actions = seen.filter(({ name }) => name !== 'thrown')
  const refused = actions.find((action) => !mayRun(action))
  if (refused) return refused.name
  return actions.length > 1 ? 'more than one' : null
}

function mayRun({ name, isAdmin }: Seen): boolean {
  switch (accessOf(name)) {
    case 'anybody':
      return true
    case 'admin':
      return isAdmin
    case 'nobody':
      return false
  }
}

/** @returns the area whose text is there */
function shownText(request: AttackRequest, text: string): string | null {
  const { admin, nobody } = guardedText
  const marks = isPrivileged(request) ? [nobody] : [nobody, admin]
  for (const mark of marks) {
    const at = text.indexOf(mark)
    if (at !== -1) return /^[a-z]*/.exec(text.slice(at + mark.length))?.[0] ?? ''
  }
  return null
}
