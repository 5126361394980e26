/**
 * True if an import failed because the imported code threw an error, and not because the code didn't
 * arrive.
 */
export function hasThrown(error: unknown): boolean {
  if (error instanceof DOMException && error.name === 'TimeoutError') return false
  // Check the error's message, because browsers don't report the cause of a failed import anywhere else.
  return !/dynamically imported module|module script/.test(String(error))
}
