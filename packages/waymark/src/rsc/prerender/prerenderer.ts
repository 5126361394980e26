import {
  createDependencyTracker,
  type DependencyTracker,
  shorterLife,
} from '../../cache/cacheLife.ts'
import type { RouteMatch } from '../../routing/match.ts'
import { chainOf, listLeaves } from '../../routing/routeEntries.ts'
import type { RouteTree } from '../../routing/routeFile.ts'
import type {
  PageCacheLife,
  PrerenderedResponse,
  PrerenderedUrl,
  Prerenderer,
} from '../../shared/cachedPage.ts'
import { createDigest } from '../../shared/errorReport.ts'
import { internalPrefix, payloadUrl } from '../../shared/protocol.ts'
import type { Handle, ResponseBody } from '../../shared/response.ts'
import { encodeSignal, signalOf } from '../../shared/signals.ts'
import type { ByteChannel } from '../../shared/stream.ts'
import type { HandlerApp } from '../dispatch.ts'
import { createHandler } from '../handler.ts'
import { wholeFlightBody } from '../page/flight.ts'
import { toDataResponse } from '../page/pageResponse.ts'
import { dynamicReasonOf, type RenderingConfig, readRenderingConfig } from '../page/routeConfig.ts'
import { filesOf } from '../page/routeModules.ts'
import { encodeShell } from '../pageCache/codec.ts'
import { type RenderedShell, renderShell } from '../partial/renderShell.ts'
import { anonymousRequest } from '../request/readRequest.ts'
import { hashedResponse, hashPayload } from '../security/staticCsp.ts'
import { planRoutes } from './plan.ts'

// No route stands below it, unless the app has one that takes every URL.
const unroutedPathname = `${internalPrefix}not-found`

/** Creates the prerenderer of an app. */
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
    if (payload) return { kind: 'answer', ...page, data: toDataResponse(answer, app, payload) }
    // A redirect leads from data to data.
    const data = await prerender(pathname, { form: 'data', ignoresRequest }, app)
    return data.kind === 'answer' ? { kind: 'answer', ...page, data: data.answer } : data
  }

  return {
    isProxied: app.proxy !== null || app.around !== null,
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

/** What rendering a URL ahead came to. */
export type Prerendered =
  | {
      readonly kind: 'answer'
      readonly answer: PrerenderedResponse
      /** The payload that a document was made of, with its end mark. */
      readonly payload: Uint8Array | null
      /** Of what it has read of the cache. */
      readonly life: DependencyTracker
    }
  /** It depends on its request: `reason` is what it used. */
  | { readonly kind: 'dynamic'; readonly reason: string }
  | { readonly kind: 'failed'; readonly thrown: unknown }

/** How a URL is rendered ahead. */
export type PrerenderOptions = {
  /** The page, or its data. */
  readonly form: 'document' | 'data'
  /** Gives an empty request to what asks for one, where else the page would be dynamic. */
  readonly ignoresRequest: boolean
}

// The longest that a timer can be set to: a prerender waits for all that its page waits for.
const noDeadlineMs = 2 ** 31 - 1

/**
 * Renders a URL ahead, through the handler that answers clients.
 * @returns once all of it is there, or it has turned out to depend on its request
 */
export function prerender(
  pathname: string,
  { form, ignoresRequest }: PrerenderOptions,
  app: HandlerApp,
): Promise<Prerendered> {
  return new Promise((resolve) => {
    let failure: { thrown: unknown } | null = null
    let payload: Uint8Array | null = null
    const life = createDependencyTracker()
    const onDynamic = (reason: string) => resolve({ kind: 'dynamic', reason })
    const nonce = app.security.createNonce()
    const parts: HandlerApp = {
      ...app,
      security: { ...app.security, createNonce: () => nonce },
      statusDeadlineMs: noDeadlineMs,
      report(thrown) {
        const signal = signalOf(thrown)
        if (signal) return encodeSignal(signal)
        // The build reports it with the name of the route; the screen is never shown.
        failure ??= { thrown }
        return createDigest(Date.now(), Math.random())
      },
      async renderDocument(flight, options) {
        await untilEnded(flight)
        payload = wholeFlightBody({ pieces: hashPayload(flight.pieces, nonce) })
        return app.renderDocument(flight, options)
      },
    }
    const handle = createHandler(parts, {
      phase: 'prerender',
      life,
      ...(ignoresRequest ? {} : { onDynamic }),
    })
    const target = form === 'document' ? pathname : payloadUrl(pathname, '')
    wholeAnswer(handle(anonymousRequest(target))).then(
      (answer) => {
        if (failure) resolve({ kind: 'failed', ...failure })
        else if (setsCookie(answer)) onDynamic('a set-cookie header')
        else
          resolve({
            kind: 'answer',
            answer: hashedResponse(answer, app.security, nonce),
            payload,
            life,
          })
      },
      (thrown: unknown) => resolve({ kind: 'failed', thrown }),
    )
  })
}

// A cookie is for one client.
function setsCookie({ headers }: PrerenderedResponse): boolean {
  return headers.some(([name]) => name.toLowerCase() === 'set-cookie')
}

async function wholeAnswer(answering: ReturnType<Handle>): Promise<PrerenderedResponse> {
  const { status, headers, body } = await answering
  return { status, headers, body: await wholeBody(body) }
}

async function wholeBody(body: ResponseBody): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return body
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces)
}

function untilEnded(channel: ByteChannel): Promise<void> {
  return new Promise((resolve) => {
    channel.listen({ piece() {}, end: resolve, fail: () => resolve() })
  })
}
