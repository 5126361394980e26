import { buildOf } from 'waymark/plugin/client'
import { maxAgeMs, writeCacheHeader } from '../shared/cachedPage.ts'
import { cacheNameOf } from '../shared/cacheNames.ts'
import type { KeepRequest, WorkerSettings } from '../shared/messages.ts'
import { readPolicy } from '../shared/policy.ts'
import type { FileKeeper } from './keepFiles.ts'
import type { PageStore } from './pageStore.ts'
import { dataForm, documentForm, fetchPart, type WholeResponse } from './wholeResponse.ts'

type Context = {
  readonly settings: WorkerSettings
  readonly pages: PageStore
  readonly files: FileKeeper
  readonly storage: CacheStorage
  /** Returns the current user's seal; `null` until a page has named the user. */
  readonly seal: () => string | null
}

/**
 * Fetches a page, its data and its files, and caches them. A page that may no longer be cached is removed
 * from the cache.
 * @returns false if another attempt may succeed
 * @throws if there is no network
 */
export async function keepPage(request: KeepRequest, context: Context): Promise<boolean> {
  const { settings, pages, storage } = context
  const { document: url, data: dataUrl } = request.page
  const document = await fetchPart(url, documentForm)
  if (document === 'failed') return false
  const data = document && (await fetchPart(dataUrl, dataForm))
  if (data === 'failed') return false
  const audience = document && data && audienceOf({ document, data }, request, context)
  if (!document || !data || !audience) {
    await pages.remove(url)
    return true
  }
  // Skip pages from a different build, which has its own worker.
  if ([document, data].some((part) => isOtherBuild(part, settings))) return false
  const files = await context.files.keep(document, url, request.files)
  if (!files) return false
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
  await cache.put(
    dataUrl,
    new Response(data.bytes, { headers: writeCacheHeader(data.headers, part) }),
  )
  await cache.put(
    url,
    new Response(document.bytes, { headers: writeCacheHeader(document.headers, entry) }),
  )
  // Check the seal again, because the user may have changed during the download.
  if (seal !== null && seal !== context.seal()) await pages.forgetPrivate(context.seal())
  if (seal !== null) await pages.forgetFormerUser()
  return true
}

type FetchedPage = { readonly document: WholeResponse; readonly data: WholeResponse }

/** Returns the seal under which a page is cached, and for how long; `null` if it may not be cached. */
function audienceOf({ document, data }: FetchedPage, request: KeepRequest, context: Context) {
  const policySeconds = readPolicy(document.text)
  if (policySeconds === 0) return null
  if (!document.isPrivate && !data.isPrivate) return { seal: null, forMs: maxAgeMs }
  const seconds = policySeconds < Infinity ? policySeconds : context.settings.devSeconds
  const { seal } = request
  return seconds && seal === context.seal() ? { seal, forMs: seconds * 1000 } : null
}

function isOtherBuild(response: WholeResponse, { build }: WorkerSettings): boolean {
  return (buildOf(response) ?? build) !== build
}
