import { linkProblem } from '../shared/linkTarget.ts'
import type { BootParts } from './bootParts.ts'
import type { RouterEvents } from './navigation/navigation.ts'
import { openDocument } from './navigation/openDocument.ts'
import type { NavigateOptions, Router } from './router.ts'

/** Makes the router that components hold: what it is asked for goes to the one that is loaded. */
export function createRouterFront(boot: BootParts, { on }: RouterEvents): Router {
  const go = async (kind: 'push' | 'replace', href: string, options: NavigateOptions = {}) => {
    const { scroll = true, signal } = options
    const problem = linkProblem(href)
    if (problem) throw problem
    const url = new URL(href, location.href)
    if (url.origin === location.origin) return boot.lead({ kind, url, scroll, signal })
    if (!/^https?:$/.test(url.protocol)) throw new Error(`Only web pages are led to, not ${href}.`)
    openDocument(window, url)
    return 'document'
  }
  return {
    push: (href, options) => go(options?.replace ? 'replace' : 'push', href, options),
    replace: (href, options) => go('replace', href, options),
    refresh: () =>
      boot.router().then(
        (router) => router.refresh(),
        () => 'failed',
      ),
    back: () => history.back(),
    forward: () => history.forward(),
    prefetch: (href) => boot.ahead.intend(new URL(href, location.href)),
    on,
  }
}
