import type { Handle, HeaderLines } from '../shared/answer.ts'
import { assetsPrefix } from '../shared/protocol.ts'
import { toResponse, toServerRequest } from '../shared/web.ts'
import { type FileBindings, fileResponse } from './answerFile.ts'
import { plainResponse } from './plainAnswer.ts'

/** What a worker is made of: the built server, and which files there are. */
export type WorkerdOptions = {
  readonly handle: Handle
  /** The app's own part in starting: that of `instrumentation.ts`. Never rejects. */
  register(): Promise<void>
  /** Lines of every answer that the handler is not asked for. */
  readonly defaultHeaders: HeaderLines
  /** Media types of the files for browsers, by the pathname of their URL. */
  readonly files: Readonly<Record<string, string>>
}

/** What the runtime knows of a request besides. */
export type RequestContext = {
  /** Keeps what belongs to the request running until the promise settles. */
  waitUntil(work: Promise<unknown>): void
}

/** A worker, as workerd runs it. */
export type Worker = {
  fetch(request: Request, bindings: FileBindings, context: RequestContext): Promise<Response>
}

/** Makes a worker: files first, then the handler. */
export function createWorker({ handle, register, defaultHeaders, files }: WorkerdOptions): Worker {
  let registered: Promise<void> | null = null

  async function answer(request: Request, context: RequestContext): Promise<Response> {
    // Not before: outside of a request, the runtime allows no I/O.
    registered ??= register()
    await registered
    const waitUntil = (work: Promise<unknown>) => context.waitUntil(work)
    return toResponse(await handle(toServerRequest(request, { waitUntil })), request.method)
  }

  return {
    async fetch(request, bindings, context) {
      const { pathname } = new URL(request.url)
      const type = Object.hasOwn(files, pathname) ? files[pathname] : undefined
      if (type !== undefined) {
        return fileResponse(request, bindings, { pathname, type, defaultHeaders })
      }
      // A page in place of a script or style would fail in a way that nobody can read.
      if (pathname.startsWith(assetsPrefix)) return plainResponse(404, 'Not Found')
      const answered = answer(request, context)
      // An action that has begun goes on to its end, also when its client is gone.
      context.waitUntil(answered.then(undefined, () => {}))
      return answered
    },
  }
}
