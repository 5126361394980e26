/** Value for a response without `cache-control`. */
export const noRule = 'no rule'

/** True if shared caches, such as a CDN, may store a response with this `cache-control`. */
export function isShared(cacheControl: string | null): boolean {
  return cacheControl !== null && /\bpublic\b|\bs-maxage=/.test(cacheControl)
}
