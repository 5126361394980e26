/** True if an import failed because the code threw an error, and not because it didn't arrive. */
export function hasThrown(error: unknown): boolean {
  if (error instanceof DOMException && error.name === 'TimeoutError') return false
  // Browsers report the cause of a failed import only in the message.
  return !/dynamically imported module|module script/.test(String(error))
}
