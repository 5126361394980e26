/** A content coding that the server has files for. */
export type Encoding = 'identity' | 'br' | 'zstd' | 'gzip'

/** Compressed codings and the ends of their files' names, the preferred one first. */
export const codings: readonly { encoding: Encoding; suffix: string }[] = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'zstd', suffix: '.zst' },
  { encoding: 'gzip', suffix: '.gz' },
]

const maxRemembered = 200

/**
 * Orders the codings by a client's wish; at equal weight by ours. Those it refuses are left out.
 * @param header of `accept-encoding`
 * @see RFC 9110 §12.5.3
 */
export function parseAcceptEncoding(header: string | undefined): Encoding[] {
  if (header === undefined) return ['identity']
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, toWeight(weight))
  }
  const others = weights.get('*')
  // Accepted unless refused, and less liked than whatever the client named.
  const identity = weights.get('identity') ?? (others === 0 ? 0 : 1e-9)
  const ranked = codings.map(({ encoding }) => ({
    encoding,
    weight: weights.get(encoding) ?? others ?? 0,
  }))
  return [...ranked, { encoding: 'identity' as const, weight: identity }]
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ encoding }) => encoding)
}

/**
 * Makes a `parseAcceptEncoding` that remembers its answers: clients send few different headers.
 */
export function createAcceptedEncodings(): (header: string | undefined) => readonly Encoding[] {
  const remembered = new Map<string | undefined, Encoding[]>()
  return (header) => {
    let accepted = remembered.get(header)
    if (accepted === undefined) {
      accepted = parseAcceptEncoding(header)
      if (remembered.size >= maxRemembered) remembered.clear()
      remembered.set(header, accepted)
    }
    return accepted
  }
}

function toWeight(text: string | undefined): number {
  if (text === undefined) return 1
  const weight = Number(text)
  return weight >= 0 && weight <= 1 ? weight : 0
}
