import type { ServerRequest } from '../../shared/response.ts'

// Of loopback and of a private network: most likely a proxy that the app does not trust yet.
const nearby =
  /^(?:::ffff:)?(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)|^::1$|^f[cd]|^fe80/i

/**
 * The network of a client, by which its share of something is counted: an address of IPv4, or the
 * first four groups of one of IPv6, since a client has 2^64 of these.
 * @returns `null` where it is not known, or would be that of many
 */
export function clientNetwork({
  remoteAddress,
}: Pick<ServerRequest, 'remoteAddress'>): string | null {
  // One that speaks for many would have its limit for all of them.
  if (!remoteAddress || nearby.test(remoteAddress)) return null
  // With IPv4 written in, it is one of IPv4.
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
