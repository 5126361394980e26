import type { Payload, PayloadSegment } from '../shared/payload.ts'
import { fetchPayload } from './payloadFetch.ts'
import type { NavigateOptions, Router } from './router.ts'

/** The router, and the entry for the browser's own back and forward. */
export type Navigator = Router & { traverse(): void }

/**
 * Makes the navigator of a document.
 * @param show paints a payload, in a transition
 */
export function createNavigator({
  initial,
  show,
}: {
  initial: Payload
  show: (payload: Payload) => void
}): Navigator {
  let mounted = initial
  let running = new AbortController()

  async function load(url: URL, from: string): Promise<{ payload: Payload; url: URL } | null> {
    running.abort()
    running = new AbortController()
    const { signal } = running
    const { tree } = mounted
    try {
      const fetched = await fetchPayload({ url, from, held: layoutKeys(tree), signal })
      if (signal.aborted) return null
      if (fetched.kind === 'payload') {
        return { payload: merged(mounted, fetched.payload), url: fetched.url }
      }
    } catch (error) {
      if (signal.aborted) return null
      console.error(error)
    }
    location.assign(url)
    return null
  }

  async function navigate(href: string, { replace = false, scroll = true }: NavigateOptions) {
    const url = new URL(href, location.href)
    const loaded = await load(url, location.pathname)
    if (!loaded) return
    history[replace ? 'replaceState' : 'pushState'](null, '', loaded.url)
    mounted = loaded.payload
    show(mounted)
    if (scroll) scrollTo(0, 0)
  }

  async function reload(): Promise<void> {
    const loaded = await load(new URL(location.href), location.pathname)
    if (!loaded) return
    mounted = loaded.payload
    show(mounted)
  }

  return {
    push: (href, options = {}) => void navigate(href, options),
    replace: (href, options = {}) => void navigate(href, { ...options, replace: true }),
    refresh: () => void reload(),
    traverse: () => void reload(),
    back: () => history.back(),
    forward: () => history.forward(),
  }
}

function layoutKeys(tree: PayloadSegment): string[] {
  if (!tree.slots) return []
  return [tree.key, ...Object.values(tree.slots).flatMap(layoutKeys)]
}

function merged(old: Payload, next: Payload): Payload {
  return { ...next, segments: { ...old.segments, ...next.segments } }
}
