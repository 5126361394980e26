/** Result of an action that returned `conflict()`. */
export type Conflict<Current> = {
  readonly isConflict: true
  /** Text for the visitor. */
  readonly message: string
  readonly current: Current
}

/**
 * Result for an action whose input is older than the stored data: `return conflict('Ada has changed
 * this note.', note)`. The form receives the result and stays filled in. If the call came from the
 * outbox, its entry stays there, and visitors see both versions.
 * @param message text for the visitor
 * @param current the data that is stored now
 */
export function conflict<Current>(message: string, current: Current): Conflict<Current> {
  return { isConflict: true, message, current }
}

export function isConflict(value: unknown): value is Conflict<unknown> {
  return (value as Partial<Conflict<unknown>> | null)?.isConflict === true
}
