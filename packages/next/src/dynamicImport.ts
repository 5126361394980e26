/**
 * Adds Node's code to the error of an import whose computed path matches no file. Vite's error has
 * no code.
 */
export function __nextRejectMissing(error: unknown): never {
  if (error instanceof Error && error.message.startsWith('Unknown variable dynamic import')) {
    Object.assign(error, { code: 'MODULE_NOT_FOUND' })
  }
  throw error
}
