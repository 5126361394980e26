/** Values of a closure that this server can't read: sealed by another key, or changed. */
export class UndecryptableClosure extends Error {
  override readonly name = 'StaleValue'
}
