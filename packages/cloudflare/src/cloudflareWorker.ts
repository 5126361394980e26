import {
  type BuildContents,
  type BuiltServer,
  createFetchHandler,
  type FetchHandler,
} from 'waymark/adapter'
import type { ExecutionContext, FileService } from './workerdWorker.ts'

/** The built app that a worker on Cloudflare serves. */
export type CloudflareWorkerOptions = {
  /** The exports of the built server. */
  readonly server: BuiltServer
  /** The build's contents. Each file is named by the path of its asset. */
  readonly contents: BuildContents
}

/** Bindings of a worker, as the adapter configures them. */
export type CloudflareBindings = {
  /** Serves the assets, including those that clients can't reach. */
  readonly ASSETS: FileService
}

/** A worker, as its module exports it to Cloudflare. */
export type CloudflareWorker = {
  fetch(
    request: Request,
    bindings: CloudflareBindings,
    context: ExecutionContext,
  ): Promise<Response>
}

/** Creates a worker for Cloudflare that serves an app. */
export function createCloudflareWorker({
  server,
  contents,
}: CloudflareWorkerOptions): CloudflareWorker {
  // The runtime sets `process.env` before it loads the worker. So a missing secret already fails
  // the deployment, which loads the worker once.
  server.appSecrets()
  let handle: FetchHandler | null = null
  return {
    fetch(request, bindings, context) {
      handle ??= createFetchHandler({
        server,
        contents,
        // Cloudflare compresses responses itself.
        compression: false,
        read: (file) => readAsset(bindings.ASSETS, file),
      })
      // Copy the request, because a worker's own requests have immutable headers.
      const changeable = URL.canParse(request.url) ? new Request(request) : request
      return handle(changeable, {
        waitUntil: (work) => context.waitUntil(work),
        // Cloudflare sets this header itself, and clients can't change it.
        remoteAddress: request.headers.get('cf-connecting-ip'),
      })
    },
  }
}

async function readAsset(
  assets: FileService,
  file: string,
): Promise<ReadableStream<Uint8Array> | null> {
  const response = await assets.fetch(new Request(new URL(file, 'https://assets')))
  return response.ok ? response.body : null
}
