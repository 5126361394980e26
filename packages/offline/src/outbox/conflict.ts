/** What an action returns with `conflict()`. */
export type Conflict<Current> = {
  readonly isConflict: true
  readonly message: string
  readonly current: Current
}

/**
 * The result of an action that was called with something older than what is stored: `return
 * conflict('Ada has changed this note.', note)`. Its form gets it as its result and stays filled in;
 * in the outbox, the call stays, and people see both.
 * @param current what is stored now
 */
export function conflict<Current>(message: string, current: Current): Conflict<Current> {
  return { isConflict: true, message, current }
}

export function isConflict(value: unknown): value is Conflict<unknown> {
  return (value as Partial<Conflict<unknown>> | null)?.isConflict === true
}
