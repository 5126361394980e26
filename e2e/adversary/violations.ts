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

/** What of one request's outcome must not be. @param seen by the app, of this request */
export function violationsOf(
  request: AttackRequest,
  { kind, response }: Outcome,
  seen: readonly Seen[],
): ViolationKind[] {
  const found: ViolationKind[] = []
  if (ranGuarded(seen)) found.push('a guarded action ran')
  if (kind === 'endless') found.push('a response without an end')
  if (response === null) return found
  // A page that fails on purpose says so first.
  const isOnPurpose = seen.some(({ name }) => name === 'thrown')
  if (response.status >= 500 && !isOnPurpose) found.push('a server error')
  if (showsGuarded(request, response.text)) found.push('guarded text left')
  return found
}

/** Whether actions ran that guards refuse, or more than the one that a request may name. */
export function ranGuarded(seen: readonly Seen[]): boolean {
  const actions = seen.filter(({ name }) => name !== 'thrown')
  return actions.length > 1 || actions.some((action) => !mayRun(action))
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

function showsGuarded(request: AttackRequest, text: string): boolean {
  if (text.includes(guardedText.nobody)) return true
  return text.includes(guardedText.admin) && !isPrivileged(request)
}
