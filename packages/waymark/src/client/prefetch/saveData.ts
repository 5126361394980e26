type Connection = { readonly saveData?: boolean; readonly effectiveType?: string }

/** Whether fetching without intent is too much to ask: saved data, a slow line, a hidden tab. */
export function prefersReducedData(): boolean {
  const { connection } = navigator as { connection?: Connection }
  const isSlow = connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '')
  return isSlow || document.visibilityState === 'hidden'
}
