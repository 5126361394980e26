import type { ServerRequest } from '../../http/response.ts'

// Matches loopback and private addresses. A peer with such an address is most likely a proxy that
// the app doesn't trust yet.
const nearby =
  /^(?:::ffff:)?(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)|^::1$|^f[cd]|^fe80/i

/**
 * Returns the key for limiting what a client may use: an IPv4 address, or the first 64 bits of an
 * IPv6 address. The address comes from the connection or a trusted proxy, never from a header that
 * the client chooses. People behind one address share the key, so the key doesn't identify anybody.
 * @returns `null` if the address is unknown or private, as behind a proxy that the app doesn't
 * trust
 */
export function clientNetwork({
  remoteAddress,
}: Pick<ServerRequest, 'remoteAddress'>): string | null {
  if (!remoteAddress || nearby.test(remoteAddress)) return null
  // Treat an IPv4-mapped IPv6 address as IPv4.
  const isIPv6 = remoteAddress.includes(':') && !remoteAddress.includes('.')
  return isIPv6 ? networkOf(remoteAddress) : remoteAddress
}

function networkOf(address: string): string {
  const [before = '', after] = address.split('::')
  const groups = before.split(':').filter(Boolean)
  const missing = after === undefined ? 0 : 8 - groups.length - after.split(':').length
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(after?.split(':') ?? [])]
    .slice(0, 4)
    .join(':')
}
