import { type Check, failed, passed } from './check.ts'
import { pieceEveryMs, type StreamKind, streamedPieces, streamKinds } from './proof.ts'

/** How a response arrived that the server sent in pieces. */
export type SeenStream = {
  /** Milliseconds from the first to the last piece; `null` if a piece is missing. */
  readonly spreadMs: number | null
  readonly status: number
  /** Value of the header `server`, in which many proxies give their name. */
  readonly server: string
  readonly encoding: string | null
}

/** @param isCompressible true to accept compressed responses, as browsers do */
export type OpenStream = (
  url: string,
  kind: StreamKind,
  isCompressible: boolean,
) => Promise<SeenStream>

const sentWithinMs = pieceEveryMs * (streamedPieces.length - 1)

const labels: Readonly<Record<StreamKind, string>> = {
  page: 'pages (text/html)',
  data: 'page data (text/x-component)',
  events: 'live data (text/event-stream)',
}

/** Checks that pages, page data and live data arrive while the server still sends them. */
export async function checkStreams(urls: readonly string[], open: OpenStream): Promise<Check> {
  const details: string[] = []
  for (const url of urls) {
    const problems = await Promise.all(
      streamKinds.map(async (kind) => ({ kind, problem: await findProblem(url, kind, open) })),
    )
    const found = problems.flatMap(({ kind, problem }) => (problem ? [{ kind, ...problem }] : []))
    details.push(...found.map(({ kind, text }) => `${url}: ${labels[kind]} ${text}`))
    details.push(...new Set(found.map(({ remedy }) => remedy)))
  }
  if (details.length > 0) {
    return failed(
      'streams',
      'a proxy holds back responses that the server sends in pieces',
      details,
    )
  }
  return passed('streams', 'pages, page data and live data arrive piece by piece')
}

type Problem = { readonly text: string; readonly remedy: string }

async function findProblem(
  url: string,
  kind: StreamKind,
  open: OpenStream,
): Promise<Problem | null> {
  const stream = await openAgain(() => open(url, kind, true))
  const { spreadMs, status, server, encoding } = stream
  if (spreadMs === null) {
    const remedy = `Let the proxy in front of ${url} pass on responses of this type unchanged.`
    return { text: `didn't arrive completely (status ${status})`, remedy }
  }
  if (isSpread(stream)) return null
  const isCompression = encoding !== null && isSpread(await openAgain(() => open(url, kind, false)))
  const text = isCompression
    ? `arrive only at their end if the proxy compresses them (${encoding})`
    : `arrive only at their end`
  return {
    text,
    remedy: isCompression ? compressionRemedy(url, server) : bufferingRemedy(url, server),
  }
}

/** Repeats a stream that was held back once, because a busy machine may have delayed its first piece. */
async function openAgain(openOnce: () => Promise<SeenStream>): Promise<SeenStream> {
  const stream = await openOnce()
  return isSpread(stream) ? stream : openOnce()
}

// Half of the time, because a busy machine delivers some pieces late.
function isSpread({ spreadMs }: SeenStream): boolean {
  return spreadMs !== null && spreadMs > sentWithinMs / 2
}

function bufferingRemedy(url: string, server: string): string {
  if (/nginx|openresty/i.test(server)) {
    return `In the nginx at ${url}, add proxy_buffering off; to each location with proxy_pass, and reload nginx.`
  }
  return `Turn off the buffering of responses in ${nameOf(server)} in front of ${url}.`
}

function compressionRemedy(url: string, server: string): string {
  if (/nginx|openresty/i.test(server)) {
    return `In the nginx at ${url}, add proxy_buffering off; to each location with proxy_pass, which also makes gzip send each piece, and reload nginx. If this isn't enough, add gzip off; there.`
  }
  return `Turn off the compression of responses from the app in ${nameOf(server)} in front of ${url}. The app's files are already compressed.`
}

function nameOf(server: string): string {
  return server === '' ? 'the proxy' : `the proxy (${server})`
}
