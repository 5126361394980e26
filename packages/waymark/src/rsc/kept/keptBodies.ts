import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { BodyVariant } from '../../shared/answer.ts'

// Below this, the head of the answer outweighs what is saved.
const minBytes = 1024
const maxRatio = 0.95

// Its tenth step takes a hundred times as long as its fifth, for a tenth less: a visitor may wait.
const brotliQuality = 5
const gzipLevel = 6

/** Makes the forms that a body is sent in: compressed once, when it is kept, and never again. */
export async function bodyVariants(
  body: Uint8Array,
  isCompressible: boolean,
): Promise<[BodyVariant, ...BodyVariant[]]> {
  const identity = keptBody('identity', body)
  if (!isCompressible || body.byteLength < minBytes) return [identity]
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
      },
    }),
    promisify(gzip)(body, { level: gzipLevel }),
  ])
  const isSmaller = ({ bytes }: BodyVariant) => bytes.byteLength < body.byteLength * maxRatio
  return [identity, ...[keptBody('br', br), keptBody('gzip', gz)].filter(isSmaller)]
}

function keptBody(encoding: BodyVariant['encoding'], bytes: Uint8Array): BodyVariant {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { encoding, etag, bytes }
}
