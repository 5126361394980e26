import type { HandlerApp } from '../dispatch.ts'
import { readRenderingConfig } from '../page/routeConfig.ts'
import { filesOf } from '../page/routeModules.ts'
import type { CacheableUrl } from '../pageCache/lookup.ts'
import type { PageCache } from '../pageCache/pageCache.ts'
import { renderSharedShell } from './renderShell.ts'

/** What the check needs of the app. */
export type ShellCheckOptions = {
  readonly app: () => HandlerApp
  readonly log: (line: string) => void
}

/**
 * Takes the place of the page cache in the dev server, and caches nothing: a change of a file or a
 * database must show. Of pages that want to be static in part it reports, once after each edit, why
 * one of them will have no shell.
 */
export function createShellCheck({ app, log }: ShellCheckOptions): PageCache {
  const checked = new Set<string>()

  async function check({ pathname, pattern }: CacheableUrl): Promise<void> {
    const reason = await reasonForNoShell(pathname, app())
    if (reason !== null) log(noShellLine(pattern, reason))
  }

  return {
    isStatic: () => true,
    find: () => null,
    findFresh: () => null,
    respond: async () => null,
    isPartial: () => true,
    async partial(url) {
      if (url.form === 'data' || checked.has(url.pattern)) return null
      checked.add(url.pattern)
      // What throws here throws in the requested page, too.
      check(url).catch(() => {})
      return null
    },
    attachBuilt() {},
  }
}

async function reasonForNoShell(pathname: string, app: HandlerApp): Promise<string | null> {
  const match = app.matcher.match(pathname)
  if (match?.leaf !== 'page') return null
  const files = await Promise.all(filesOf(match.root).map(app.modules.load))
  if (readRenderingConfig(files).dynamic !== 'partial') return null
  const rendered = await renderSharedShell(match, pathname, app)
  return rendered.kind === 'dynamic' ? rendered.reason : null
}

function noShellLine(pattern: string, reason: string): string {
  return `${pattern} says dynamic = 'partial', but a build will find no shell: it uses ${reason}. Put what reads the request inside of <Suspense>, or it is rendered for each request.`
}
