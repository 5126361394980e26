import { setBounded } from '../shared/maps.ts'

type HostRule = {
  /**
   * True for an entry such as `*.example.com`. It allows every name below the domain, but not the
   * domain itself.
   */
  readonly isWildcard: boolean
  readonly hostname: string
  /** Allowed port; `null` allows every port. */
  readonly port: string | null
}

/** Parses an entry of the allowed hosts. @returns `null` for an invalid host */
export function parseAllowedHost(entry: string): HostRule | null {
  const [, wildcard, name = '', port] =
    /^(\*\.)?(\[[\da-f:.]+\]|[^\s:/?#@[\]\\*%]+)(?::(\d{1,5}))?$/i.exec(entry) ?? []
  if (!URL.canParse(`http://${name}`)) return null
  // Parsing as a URL converts international names to the form that clients send.
  const { hostname } = new URL(`http://${name}`)
  const isAddress = /^\[|^[\d.]+$/.test(hostname)
  if (wildcard && (isAddress || hostname === '')) return null
  return { isWildcard: wildcard !== undefined, hostname, port: port ?? null }
}

// Maximum number of hosts to remember. Clients choose the host, so without a limit they could fill
// the memory.
const maxRemembered = 1_000

/**
 * Creates a function that checks a request's origin against the hosts that the app lists.
 * @param entries valid entries, such as `example.com`, `*.example.com` or `example.com:8443`
 */
export function createHostCheck(entries: readonly string[]): (origin: string) => boolean {
  const rules = entries.map(parseAllowedHost).filter((rule) => rule !== null)
  const remembered = new Map<string, boolean>()
  return (origin) => {
    const cached = remembered.get(origin)
    if (cached !== undefined) return cached
    const isAllowed = rules.some((rule) => matches(rule, origin))
    setBounded(remembered, origin, isAllowed, maxRemembered)
    return isAllowed
  }
}

function matches({ isWildcard, hostname, port }: HostRule, origin: string): boolean {
  const url = new URL(origin)
  if (port !== null && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) {
    return false
  }
  return isWildcard ? url.hostname.endsWith(`.${hostname}`) : url.hostname === hostname
}
