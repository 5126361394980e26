import { type DependencyTracker, shorterLife } from '../../cache/collector.ts'
import { listLeaves } from '../../routing/list.ts'
import type { RouteMatch } from '../../routing/match.ts'
import { chainOf } from '../../routing/place.ts'
import type { RouteTree } from '../../routing/routeNode.ts'
import type { PageCacheLife } from '../../shared/keptPages.ts'
import type { PrerenderedResponse, PrerenderedUrl, Prerenderer } from '../../shared/prerendering.ts'
import { internalPrefix, payloadType } from '../../shared/protocol.ts'
import type { HandlerApp } from '../answerRoute.ts'
import { encodeShell } from '../kept/shellValue.ts'
import { filesOf } from '../page/routeFiles.ts'
import { type RenderedShell, renderShell } from '../partial/renderShell.ts'
import { dynamicReasonOf, type RenderingConfig, readRenderingConfig } from './config.ts'
import { planRoutes } from './plan.ts'
import { type Prerendered, prerender } from './render.ts'

// No route stands below it, unless the app has one that takes every URL.
const unroutedPathname = `${internalPrefix}not-found`

/** Makes the prerenderer of an app. */
export function createPrerenderer(
  app: HandlerApp,
  tree: RouteTree,
  isIntercepted: (pathname: string) => boolean,
): Prerenderer {
  const { matcher, modules } = app
  async function renderPage(pathname: string, match: RouteMatch): Promise<PrerenderedUrl> {
    const files = filesOf(match.root)
    const config = readRenderingConfig(await Promise.all(files.map(modules.load)))
    const reason = dynamicReasonOf(config)
    if (reason !== null) return { kind: 'dynamic', reason }
    if (config.dynamic === 'partial') {
      const rendered = await renderShell(match, pathname, app)
      if (rendered.kind === 'partial') return partialPage(rendered, config)
      if (rendered.kind !== 'whole') return rendered
    }
    return renderWhole(pathname, config)
  }

  async function renderWhole(pathname: string, config: RenderingConfig): Promise<PrerenderedUrl> {
    const ignoresRequest = config.dynamic === 'force-static'
    const document = await renderDocument(pathname, config, app)
    if (document.kind !== 'answer') return document
    const { answer, payload } = document
    const life = lifeOf(config, document.life)
    const page = { document: answer, life, isIntercepted: isIntercepted(pathname) }
    if (payload) return { kind: 'answer', ...page, data: dataAnswer(answer, payload) }
    // A redirect leads from data to data.
    const data = await prerender(pathname, { form: 'data', ignoresRequest }, app)
    return data.kind === 'answer' ? { kind: 'answer', ...page, data: data.answer } : data
  }

  return {
    isProxied: app.proxy !== null,
    plan: () => planRoutes(tree, modules),
    async render(pathname) {
      const match = matcher.match(pathname)
      if (!match) throw new Error(`No route answers ${pathname}.`)
      return match.leaf === 'route'
        ? renderRoute(pathname, match.file, app)
        : renderPage(pathname, match)
    },
    async renderNotFound() {
      if (!hasOneRootLayout(tree) || matcher.match(unroutedPathname)) return null
      const options = { form: 'document', ignoresRequest: false } as const
      const done = await prerender(unroutedPathname, options, app)
      return done.kind === 'answer' && done.answer.status === 404 ? done.answer : null
    },
  }
}

async function renderDocument(
  pathname: string,
  { dynamic, dynamicFrom }: RenderingConfig,
  app: HandlerApp,
): Promise<Prerendered> {
  const ignoresRequest = dynamic === 'force-static'
  const done = await prerender(pathname, { form: 'document', ignoresRequest }, app)
  if (done.kind !== 'dynamic' || dynamic !== 'error') return done
  return { kind: 'failed', thrown: refusedUse(done.reason, dynamicFrom) }
}

async function renderRoute(
  pathname: string,
  file: string,
  app: HandlerApp,
): Promise<PrerenderedUrl> {
  const config = readRenderingConfig([await app.modules.load(file)])
  const done = await renderDocument(pathname, config, app)
  if (done.kind !== 'answer') return done
  const life = lifeOf(config, done.life)
  return { kind: 'answer', document: done.answer, data: null, life, isIntercepted: false }
}

function partialPage(
  { shell, life }: Extract<RenderedShell, { kind: 'partial' }>,
  config: RenderingConfig,
): PrerenderedUrl {
  return { kind: 'partial', shell: encodeShell(shell), life: lifeOf(config, life) }
}

/** A page lives as its files say, and no longer than what it has read of the cache. */
function lifeOf(config: RenderingConfig, read: DependencyTracker): PageCacheLife {
  return {
    tags: [...read.tags],
    revalidateSeconds: shorterLife(config.revalidateSeconds, read.revalidateSeconds),
    expireSeconds: shorterLife(config.expireSeconds, read.expireSeconds),
  }
}

function dataAnswer(
  { status, headers }: PrerenderedResponse,
  body: Uint8Array,
): PrerenderedResponse {
  const others = headers.filter(([name]) => name.toLowerCase() !== 'content-type')
  return { status, headers: [['content-type', payloadType], ...others], body }
}

function refusedUse(reason: string, file: string | null): Error {
  return new Error(`it uses ${reason}, and ${file} exports dynamic = 'error'`)
}

// With several, or one that knows params, what is around a not-found screen depends on the URL.
function hasOneRootLayout(tree: RouteTree): boolean {
  const layouts = new Set(
    listLeaves(tree)
      .filter(({ kind }) => kind === 'page')
      .map(({ place }) => chainOf(place).find(({ node }) => node.files.layout)),
  )
  const [only] = layouts
  return layouts.size === 1 && only?.pattern.length === 0
}
