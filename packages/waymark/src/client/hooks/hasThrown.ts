/** True for an import whose code has arrived and then threw, as the module of a package's hook may. */
export function hasThrown(error: unknown): boolean {
  if (error instanceof DOMException && error.name === 'TimeoutError') return false
  // Browsers name the cause of a failed import in their message alone.
  return !/dynamically imported module|module script/.test(String(error))
}
