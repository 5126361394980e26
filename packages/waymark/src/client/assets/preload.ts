import { timeoutMs } from 'virtual:waymark/startup'
import { documentNonce } from '../document/documentStream.ts'

const requested = new Map<string, Promise<unknown> | undefined>()

/** What tries again: it comes at idle; until then, a failure fetches it. */
const rescue = createLazyModule(() => import('./retryImport.ts'))
/** What is imported now is itself what tries again. */
let isRescue = false

/** Rejects with a `LateCode` when it takes too long. */
export function inTime<T>(coming: Promise<T>, ms = timeoutMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = new DOMException('Code is late.', 'TimeoutError')
    setTimeout(reject, ms, Object.assign(late, { coming }))
    coming.then(resolve, reject)
  })
}

/** An error of code that may still arrive. */
export type LateCode = { readonly coming?: Promise<unknown> }

/**
 * Imports a chunk with its files. One that fails, or takes half of a route's limit, is imported
 * again. Without style, code is still code.
 */
export function preload<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  const canRetry = !isRescue
  const halfMs = timeoutMs / 2
  const styles = Promise.all(files.map(request))
  const coming = load()
  const code = inTime(coming, halfMs).catch(async (error: unknown) => {
    const again = canRetry && (await loadRescue().catch(() => null))
    if (again) return again.retryImport(load, error, coming)
    throw error
  })
  const styled = inTime(styles, halfMs).catch(() => {})
  return inTime(Promise.all([code, styled]).then(() => code))
}

export function loadRescue(): Promise<typeof import('./retryImport.ts')> {
  isRescue = true
  const loading = rescue.load()
  isRescue = false
  return loading
}

function request(file: string): Promise<unknown> | undefined {
  const href = import.meta.env.BASE_URL + file
  if (!requested.has(href)) requested.set(href, append(href))
  return requested.get(href)
}

function append(href: string): Promise<unknown> | undefined {
  if (document.head.querySelector(`link[href="${href}"]`)) return undefined
  const isStyle = href.endsWith('.css')
  const link = document.createElement('link')
  link.rel = isStyle ? 'stylesheet' : 'modulepreload'
  link.crossOrigin = ''
  link.nonce = documentNonce()
  link.href = href
  document.head.append(link)
  if (!isStyle) return undefined
  return new Promise((resolve) => {
    link.onload = resolve
    link.onerror = (event) => {
      requested.delete(href)
      link.remove()
      resolve(event)
    }
  })
}

/** A chunk that loads once a page can be used: at idle, or when it is first needed. */
export type LazyModule<Code> = {
  readonly loaded: Code | null
  /** Rejects when it can't be loaded now: the next call tries again. */
  load(): Promise<Code>
}

export function createLazyModule<Code>(fetchCode: () => Promise<Code>): LazyModule<Code> {
  let loading: Promise<Code> | null = null
  const lazy = {
    loaded: null as Code | null,
    async load(): Promise<Code> {
      loading ??= fetchCode()
      try {
        lazy.loaded = await loading
        return lazy.loaded
      } catch (error) {
        loading = null
        throw error
      }
    },
  }
  return lazy
}
