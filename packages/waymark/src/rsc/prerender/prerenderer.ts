import { buffer } from 'node:stream/consumers'
import type {
  PageCacheLife,
  PrerenderedResponse,
  PrerenderedUrl,
  Prerenderer,
} from '../../builds/cachedPage.ts'
import {
  createDependencyTracker,
  type DependencyTracker,
  shorterLife,
} from '../../cache/cacheLife.ts'
import { type Responding, setsCookie } from '../../http/response.ts'
import type { RouteMatch } from '../../routing/match.ts'
import { chainOf, listLeaves } from '../../routing/routeEntries.ts'
import type { RouteTree } from '../../routing/routeFile.ts'
import { payloadUrl } from '../../wire/protocol.ts'
import { reservedPaths } from '../../wire/reservedPaths.ts'
import { createHandler } from '../handler.ts'
import type { HandlerApp } from '../handlerApp.ts'
import { ends, wholeFlightBody } from '../page/flight.ts'
import { toDataResponse } from '../page/pageResponse.ts'
import { withVariant } from '../page/pageVariants.ts'
import { dynamicReasonOf, type RenderingConfig, readRenderingConfig } from '../page/routeConfig.ts'
import { filesOf } from '../page/routeModules.ts'
import { encodeShell } from '../pageCache/codec.ts'
import { collectFailures, leaveToBrowser, renderSharedShell } from '../partial/renderShell.ts'
import { anonymousRequest } from '../request/readRequest.ts'
import { runsForFile, runsForPage, runsForRequests } from '../request/requestDependence.ts'
import { hashedResponse, hashPayload } from '../security/csp.ts'
import { planRoutes } from './plan.ts'

// Pathname that matches no route, unless the app has a catch-all route at its root.
const unroutedPathname = reservedPaths.notFound

export function createPrerenderer(app: HandlerApp, tree: RouteTree): Prerenderer {
  const { matcher, modules, routeUrls, isIntercepted } = app
  async function renderPage(
    pathname: string,
    match: RouteMatch,
    app: HandlerApp,
  ): Promise<PrerenderedUrl> {
    const files = filesOf(match.root)
    const config = readRenderingConfig(await Promise.all(files.map(modules.load)))
    const reason = dynamicReasonOf(config)
    if (reason !== null) return { kind: 'dynamic', reason }
    if (config.dynamic === 'partial') {
      const rendered = await renderSharedShell(match, pathname, app)
      if (rendered.kind === 'partial') {
        const { shell, life } = rendered
        return { ...rendered, shell: encodeShell(shell), life: lifeOf(config, life) }
      }
      if (rendered.kind !== 'whole') return rendered
    }
    return renderWhole(pathname, config, app)
  }

  async function renderWhole(
    pathname: string,
    config: RenderingConfig,
    app: HandlerApp,
  ): Promise<PrerenderedUrl> {
    const document = await renderDocument(pathname, config, app)
    if (document.kind !== 'response') return document
    const { response, payload, leftToBrowser } = document
    const life = lifeOf(config, document.life)
    const isOver = isIntercepted(pathname)
    const page = { document: response, life, isIntercepted: isOver, leftToBrowser }
    if (payload) return { kind: 'response', ...page, data: toDataResponse(response, app, payload) }
    // A redirect of page data must lead to page data, so render the data separately.
    const ignoresRequest = config.dynamic === 'force-static'
    const data = await prerender(pathname, { kind: 'data', ignoresRequest }, app)
    return data.kind === 'response' ? { kind: 'response', ...page, data: data.response } : data
  }

  return {
    isProxied: runsForRequests(app),
    isGuarded: (pathname) => runsForPage(app, pathname),
    isGuardedFile: (pathname) => runsForFile(app, pathname),
    plan: () => planRoutes({ tree, modules, routeUrls }),
    async render(pathname) {
      const match = matcher.match(pathname)
      if (!match) throw new Error(`No route matches the URL ${pathname}.`)
      return match.leaf === 'route'
        ? renderRoute(pathname, match.file, app)
        : renderPage(pathname, match, withVariant(app, { pathname, params: match.params }))
    },
    async renderNotFound() {
      // With several languages, for example, the document depends on the URL.
      if (routeUrls !== null) return null
      if (!hasOneRootLayout(tree) || matcher.match(unroutedPathname)) return null
      const options = { kind: 'document', ignoresRequest: false } as const
      const done = await prerender(unroutedPathname, options, app)
      return done.kind === 'response' && done.response.status === 404 ? done.response : null
    },
  }
}

async function renderDocument(
  pathname: string,
  { dynamic, dynamicFrom }: RenderingConfig,
  app: HandlerApp,
): Promise<Prerendered> {
  const ignoresRequest = dynamic === 'force-static'
  const done = await prerender(pathname, { kind: 'document', ignoresRequest }, app)
  if (dynamic !== 'error' || done.kind === 'response') return done
  // A page with `dynamic = 'error'` must not be rendered for each request, so fail the build.
  if (done.kind === 'failed') return { kind: 'failed', thrown: done.thrown }
  const message = `it uses ${done.reason}, and ${dynamicFrom} exports dynamic = 'error'`
  return { kind: 'failed', thrown: new Error(message) }
}

async function renderRoute(
  pathname: string,
  file: string,
  app: HandlerApp,
): Promise<PrerenderedUrl> {
  const config = readRenderingConfig([await app.modules.load(file)])
  const done = await renderDocument(pathname, config, app)
  if (done.kind !== 'response') return done
  const life = lifeOf(config, done.life)
  const { response: document, leftToBrowser } = done
  return { kind: 'response', document, data: null, life, isIntercepted: false, leftToBrowser }
}

function lifeOf(config: RenderingConfig, read: DependencyTracker): PageCacheLife {
  return {
    tags: [...read.tags],
    revalidateSeconds: shorterLife(config.revalidateSeconds, read.revalidateSeconds),
    expireSeconds: shorterLife(config.expireSeconds, read.expireSeconds),
  }
}

// True if the app has only one root layout, and the layout has no params. Otherwise the not-found
// screen depends on the URL.
function hasOneRootLayout(tree: RouteTree): boolean {
  const layouts = new Set(
    listLeaves(tree)
      .filter(({ kind }) => kind === 'page')
      .map(({ place }) => chainOf(place).find(({ node }) => node.files.layout)),
  )
  const [only] = layouts
  return layouts.size === 1 && only?.pattern.length === 0
}

type Prerendered =
  | {
      readonly kind: 'response'
      readonly response: PrerenderedResponse
      /** The document's payload, with its end mark. */
      readonly payload: Uint8Array | null
      /** Lifetime and tags of everything that the page used. */
      readonly life: DependencyTracker
      readonly leftToBrowser: readonly unknown[]
    }
  | Extract<PrerenderedUrl, { kind: 'dynamic' }>
  | Extract<PrerenderedUrl, { kind: 'failed' }>

type PrerenderOptions = {
  /** Kind of response to render: the page's document or its data. */
  readonly kind: 'document' | 'data'
  /** True to give the page an empty request, instead of making it dynamic. */
  readonly ignoresRequest: boolean
}

// Prerendering has no deadline, so use the longest delay of a timer.
const noDeadlineMs = 2 ** 31 - 1

/**
 * Prerenders a page. Resolves once everything is rendered, or as soon as the page reads its
 * request.
 */
function prerender(
  pathname: string,
  { kind, ignoresRequest }: PrerenderOptions,
  app: HandlerApp,
): Promise<Prerendered> {
  return new Promise((resolve) => {
    const failures: unknown[] = []
    const leftToBrowser: unknown[] = []
    let payload: Uint8Array | null = null
    const life = createDependencyTracker()
    const onDynamic = (reason: string, stack?: string) =>
      resolve({ kind: 'dynamic', reason, stack })
    const nonce = app.security.createNonce()
    const prerenderApp: HandlerApp = {
      ...app,
      security: { ...app.security, createNonce: () => nonce },
      statusDeadlineMs: noDeadlineMs,
      report: collectFailures(failures),
      async renderDocument(channel, options) {
        await ends(channel)
        payload = wholeFlightBody({ pieces: hashPayload(channel.pieces, nonce) })
        const onError = leaveToBrowser(leftToBrowser, options.onError)
        return app.renderDocument(channel, { ...options, onError })
      },
    }
    const handle = createHandler(prerenderApp, {
      phase: 'prerender',
      life,
      ...(ignoresRequest ? {} : { onDynamic }),
    })
    const target = kind === 'document' ? pathname : payloadUrl(pathname, '')
    wholeResponse(handle(anonymousRequest(target))).then(
      (whole) => {
        if (failures.length > 0) return resolve(failed(failures[0], leftToBrowser))
        if (setsCookie(whole.headers)) return onDynamic('a set-cookie header')
        const response = hashedResponse(whole, app.security, nonce)
        resolve({ kind: 'response', response, payload, life, leftToBrowser })
      },
      (thrown: unknown) => resolve(failed(thrown, leftToBrowser)),
    )
  })
}

function failed(thrown: unknown, leftToBrowser: readonly unknown[]) {
  const rendersInBrowser = leftToBrowser.includes(thrown)
  return { kind: 'failed', thrown, rendersInBrowser } as const
}

async function wholeResponse(responding: Responding): Promise<PrerenderedResponse> {
  const { status, headers, body } = await responding
  const isWhole = body === null || typeof body === 'string' || body instanceof Uint8Array
  return { status, headers, body: isWhole ? Buffer.from(body ?? '') : await buffer(body) }
}
