import type { BootRuntime } from './bootParts.ts'
import type { RouterEvents } from './navigation/navigation.ts'
import type { NavigateOptions, Router } from './router.ts'

/** Makes the router that components hold: what it is asked for goes to the one that is loaded. */
export function createRouterFront(boot: BootRuntime, { on }: RouterEvents): Router {
  const go = async (kind: 'push' | 'replace', href: string, options?: NavigateOptions) =>
    boot.lead({ url: new URL(href, location.href) }, (router) => router.go(kind, href, options))
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
