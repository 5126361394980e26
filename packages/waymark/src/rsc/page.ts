import type { RouteMatch } from '../routing/match.ts'
import type { Answer, HeaderLines, ServerRequest } from '../shared/answer.ts'
import type { ByteChannel } from '../shared/byteChannel.ts'
import { payloadType } from '../shared/protocol.ts'
import { channelBody, endsSoon } from './flight.ts'
import type { ResolveMetadata } from './metadata/resolve.ts'
import { answerRedirect } from './redirect.ts'
import { type PageRender, renderPage } from './renderPage.ts'
import type { ReportError } from './report.ts'
import type { RouteModules } from './routeModules.ts'
import type { RequestScope } from './scope.ts'

/** A page to be answered: its route, and the form it was asked for in. */
export type PageRequest = {
  readonly kind: 'document' | 'data'
  readonly match: Pick<RouteMatch, 'pattern' | 'params' | 'root'>
  /** When no decider says otherwise. */
  readonly status: 200 | 404
  readonly pathname: string
  readonly search: string
  readonly origin: string | null
  readonly request: ServerRequest
  readonly scope: RequestScope
  /** Keys of segments that the browser holds; of a document none. */
  readonly held: ReadonlySet<string>
}

/** What answering a page needs of the app. */
export type PageApp = {
  readonly modules: RouteModules
  readonly renderDocument: RenderDocument
  readonly resolveMetadata: ResolveMetadata
  readonly report: ReportError
  readonly statusDeadlineMs: number
  /** HTML that every document's head begins with. */
  readonly headStart: string
}

/** The `ssr` environment's half: Flight to HTML. */
export type RenderDocument = (
  flight: ByteChannel,
  options: { onError(thrown: unknown): string; headStart: string; nonce?: string },
) => Promise<string | AsyncIterable<Uint8Array>>

const htmlType = 'text/html; charset=utf-8'

/** Answers a page: route files → elements → Flight → (HTML). */
export async function answerPage(page: PageRequest, app: PageApp): Promise<Answer> {
  const render = await renderPage(page, app, null)
  if (render.decision.kind === 'redirect') {
    render.flight.abort(new Error('The page redirects.'))
    return answerRedirect(render.decision, page.kind)
  }
  return page.kind === 'data' ? answerData(render) : answerDocument(page, app, render)
}

async function answerData(render: PageRender): Promise<Answer> {
  const { channel, abort } = render.flight
  await endsSoon(channel)
  return {
    status: render.status,
    headers: headersOf(render, payloadType),
    body: channelBody(channel, abort),
  }
}

async function answerDocument(
  page: PageRequest,
  app: PageApp,
  render: PageRender,
): Promise<Answer> {
  try {
    await endsSoon(render.flight.channel)
    const body = await renderHtml(render, app)
    return { status: render.status, headers: headersOf(render, htmlType), body }
  } catch (thrown) {
    // A client component failed outside of any Suspense: its error screen is rendered instead.
    render.flight.abort(thrown)
    if (render.decision.kind === 'error') throw thrown
    const again = await renderPage(page, app, thrown)
    const body = await renderHtml(again, app)
    return { status: again.status, headers: headersOf(again, htmlType), body }
  }
}

function renderHtml({ flight, onError }: PageRender, app: PageApp) {
  return app.renderDocument(flight.channel, { onError, headStart: app.headStart })
}

function headersOf(render: PageRender, type: string): HeaderLines {
  return [['content-type', type], ...render.headers]
}
