import { setBounded } from '../shared/maps.ts'
import { parseWeighted } from './accept.ts'

export type Encoding = 'identity' | 'br' | 'zstd' | 'gzip'

/**
 * The supported codings, in our order of preference. Names of compressed files end with `suffix`.
 */
export const codings: readonly { encoding: Encoding; suffix: string }[] = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'zstd', suffix: '.zst' },
  { encoding: 'gzip', suffix: '.gz' },
]

const maxCached = 200

/**
 * Orders the codings by the client's weights, then by our preference. Omits codings that the client
 * refuses.
 * @param header value of `accept-encoding`
 * @see RFC 9110 §12.5.3
 */
export function parseAcceptEncoding(header: string | undefined): Encoding[] {
  if (header === undefined) return ['identity']
  const weights = new Map<string, number>()
  for (const { name, q } of parseWeighted(header)) {
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, q)
  }
  const others = weights.get('*')
  // `identity` is accepted unless the client refuses it, but all other codings are preferred.
  const identity = weights.get('identity') ?? (others === 0 ? 0 : 1e-9)
  const weightOf = (encoding: Encoding) =>
    encoding === 'identity' ? identity : (weights.get(encoding) ?? others ?? 0)
  return [...codings.map(({ encoding }) => encoding), 'identity' as const]
    .filter((encoding) => weightOf(encoding) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a))
}

/** Creates a parser that caches its results. Clients send few different headers. */
export function createAcceptedEncodings(): (header: string | undefined) => readonly Encoding[] {
  const cached = new Map<string | undefined, Encoding[]>()
  return (header) => {
    let accepted = cached.get(header)
    if (accepted === undefined) {
      accepted = parseAcceptEncoding(header)
      setBounded(cached, header, accepted, maxCached)
    }
    return accepted
  }
}

/**
 * Chooses the variant of a body that the client prefers.
 * @param variants the uncompressed variant first. It is sent even if the client accepts none of the
 * variants, because that is more useful than a 406
 */
export function chooseVariant<Variant extends { readonly encoding: Encoding }>(
  variants: readonly [Variant, ...Variant[]],
  accepted: readonly Encoding[],
): Variant {
  for (const encoding of accepted) {
    const variant = variants.find((each) => each.encoding === encoding)
    if (variant !== undefined) return variant
  }
  return variants[0]
}
