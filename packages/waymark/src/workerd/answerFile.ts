import type { HeaderLines } from '../shared/answer.ts'
import { assetsPrefix } from '../shared/protocol.ts'
import { plainResponse } from './plainAnswer.ts'

/** Where a worker gets its files from. */
export type FileBindings = {
  /** Serves the files for browsers, by pathname. */
  readonly ASSETS: { fetch(request: Request): Promise<Response> }
}

/** A file for browsers. */
export type WorkerFile = {
  /** Of its URL. */
  readonly pathname: string
  /** Media type. */
  readonly type: string
  readonly defaultHeaders: HeaderLines
}

const immutable = 'public, max-age=31536000, immutable'
const revalidated = 'public, max-age=0, must-revalidate'

/** Answers with a file, as it is: compression is left to whatever stands before the worker. */
export async function fileResponse(
  { method }: Request,
  { ASSETS }: FileBindings,
  { pathname, type, defaultHeaders }: WorkerFile,
): Promise<Response> {
  if (method !== 'GET' && method !== 'HEAD') {
    return plainResponse(405, 'Method Not Allowed', [['allow', 'GET, HEAD']])
  }
  const found = await ASSETS.fetch(new Request(new URL(pathname, 'http://assets'), { method }))
  if (!found.ok) return plainResponse(404, 'Not Found')
  const headers = new Headers(defaultHeaders)
  headers.set('content-type', type)
  headers.set('cache-control', pathname.startsWith(assetsPrefix) ? immutable : revalidated)
  for (const name of ['content-length', 'last-modified']) {
    const value = found.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(found.body, { headers })
}
