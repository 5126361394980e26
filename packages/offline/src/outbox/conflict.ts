/** Result of an action that returned `conflict()`. */
export type Conflict<Current> = {
  readonly isConflict: true
  /** Text for the visitor. */
  readonly message: string
  /** The current data on the server. */
  readonly current: Current
}

/**
 * Result for an action whose input is older than the stored data. Return it from the action:
 * `return conflict('Ada has changed this note.', note)`. The form receives it as its result and stays
 * filled in. If the call came from the outbox, the entry stays there and visitors see both versions.
 * @param message text for the visitor
 * @param current the data that is stored now
 */
export function conflict<Current>(message: string, current: Current): Conflict<Current> {
  return { isConflict: true, message, current }
}

export function isConflict(value: unknown): value is Conflict<unknown> {
  return (value as Partial<Conflict<unknown>> | null)?.isConflict === true
}
