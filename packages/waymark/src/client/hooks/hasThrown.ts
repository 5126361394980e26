/**
 * True if an import failed because the imported code threw an error, and not because the code didn't
 * arrive.
 */
export function hasThrown(error: unknown): boolean {
  if (error instanceof DOMException && error.name === 'TimeoutError') return false
  // Browsers report the cause of a failed import only in the error's message.
  return !/dynamically imported module|module script/.test(String(error))
}
