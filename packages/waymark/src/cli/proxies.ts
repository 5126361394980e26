import { isIP } from 'node:net'

const loopback = ['127.0.0.0/8', '::1']
const ofPrivateNetworks = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'],
  ...['fc00::/7', 'fe80::/10'],
]
const words = new Map<string, readonly string[]>([
  ['loopback', loopback],
  ['private', [...loopback, ...ofPrivateNetworks]],
])

/**
 * Reads which proxies are trusted: addresses, ranges such as `10.0.0.0/8`, or the words `loopback`
 * and `private`, separated by commas.
 * @returns addresses and ranges; `null` for what is neither
 */
export function parseProxies(text: string): readonly string[] | null {
  const ranges: string[] = []
  for (const entry of text.split(',').map((each) => each.trim())) {
    const named = words.get(entry)
    if (named === undefined && !isRange(entry)) return null
    ranges.push(...(named ?? [entry]))
  }
  return ranges
}

function isRange(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
