import { cacheNameOf } from '../shared/cacheNames.ts'
import { maxAgeMs, writeKept } from '../shared/keptEntry.ts'
import type { KeepRequest, WorkerSettings } from '../shared/messages.ts'
import { readPolicy } from '../shared/policy.ts'
import type { FileKeeper } from './keepFiles.ts'
import type { PageStore } from './pageStore.ts'
import { fetchPart, type WholeResponse } from './wholeResponse.ts'

type Context = {
  readonly settings: WorkerSettings
  readonly pages: PageStore
  readonly files: FileKeeper
  readonly storage: CacheStorage
  /** Of who is here; `null` while no page has told it. */
  readonly seal: () => string | null
}

/** What became of a page; `failed` may mend. */
export type Kept = 'kept' | 'refused' | 'failed'

/**
 * Fetches a page, its data and its files, and keeps them; a page that may not be kept any more is
 * removed.
 * @throws where there is no network
 */
export async function keepPage(request: KeepRequest, context: Context): Promise<Kept> {
  const { settings, pages, storage } = context
  const { document: url, data: dataUrl } = request.page
  const document = await fetchPart(url, 'document')
  if (document === 'failed') return 'failed'
  const data = document && (await fetchPart(dataUrl, 'data'))
  if (data === 'failed') return 'failed'
  const audience = document && data && audienceOf({ document, data }, request, context.seal())
  if (!document || !data || !audience) {
    await pages.remove(url)
    return 'refused'
  }
  // A server of another build has its own worker.
  if ([document, data].some((part) => isOtherBuild(part, settings))) return 'failed'
  const files = await context.files.keep(document, url, request.files)
  if (!files) return 'failed'
  const { seal, forMs } = audience
  const savedAtMs = Date.now()
  const part = { savedAtMs, expiresAtMs: savedAtMs + forMs }
  const entry = {
    ...part,
    url,
    title: /<title>([^<]*)/.exec(document.text)?.[1] ?? url,
    isScreen: url === settings.screen,
    data: dataUrl,
    bytes: document.bytes.byteLength + data.bytes.byteLength,
    files,
  }
  const cache = await storage.open(cacheNameOf(settings.basePath, { build: settings.build, seal }))
  await cache.put(dataUrl, new Response(data.bytes, { headers: writeKept(data.headers, part) }))
  await cache.put(
    url,
    new Response(document.bytes, { headers: writeKept(document.headers, entry) }),
  )
  // Somebody else may be here since.
  if (seal !== null && seal !== context.seal()) await pages.forgetPrivate(context.seal() ?? '')
  return 'kept'
}

type FetchedPage = { readonly document: WholeResponse; readonly data: WholeResponse }

/** Whom a page is kept for, and how long; `null`: for nobody. */
function audienceOf({ document, data }: FetchedPage, request: KeepRequest, seal: string | null) {
  const seconds = readPolicy(document.text)
  if (seconds === 0) return null
  if (!document.isPrivate && !data.isPrivate) return { seal: null, forMs: maxAgeMs }
  if (seconds === Infinity || request.seal !== seal) return null
  return { seal, forMs: seconds * 1000 }
}

function isOtherBuild({ headers }: WholeResponse, { build }: WorkerSettings): boolean {
  return (headers.get('waymark-build') ?? build) !== build
}
