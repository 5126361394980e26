import type { Answer, AnswerBody, HeaderLines } from '../shared/answer.ts'
import { payloadType } from '../shared/protocol.ts'
import { flightBody } from './flight.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import { answerRedirect } from './redirect.ts'
import { type PageRender, renderPage } from './renderPage.ts'

const htmlType = 'text/html; charset=utf-8'

/** Answers a page: route files → elements → Flight → (HTML). */
export async function answerPage(page: PageRequest, app: PageApp): Promise<Answer> {
  const render = await renderPage(page, app, null)
  if (render.decision.kind === 'redirect') {
    render.flight.abandon()
    return answerRedirect(render.decision, page.kind)
  }
  return page.kind === 'data' ? answerData(render) : answerDocument(page, app, render)
}

function answerData(render: PageRender): Answer {
  return pageAnswer(render, payloadType, flightBody(render.flight))
}

async function answerDocument(
  page: PageRequest,
  app: PageApp,
  render: PageRender,
): Promise<Answer> {
  try {
    return pageAnswer(render, htmlType, await renderHtml(render, app))
  } catch (thrown) {
    // A client component failed outside of any Suspense: its error screen is rendered instead.
    render.flight.abandon()
    if (render.decision.kind === 'error') throw thrown
    const again = await renderPage(page, app, { thrown })
    return pageAnswer(again, htmlType, await renderHtml(again, app))
  }
}

async function renderHtml(render: PageRender, app: PageApp): Promise<AnswerBody> {
  const { flight, onError, theme } = render
  const headStart = app.theme.headStart(theme)
  const body = await app.renderDocument(flight.channel, { onError, headStart })
  return typeof body === 'string' ? body : untilLeft(body, flight.abandon)
}

// When the reader leaves, both renderers stop: the one that writes HTML, then the one behind it.
async function* untilLeft(body: AsyncIterable<Uint8Array>, leave: () => void) {
  try {
    yield* body
  } finally {
    leave()
  }
}

// What is rendered for one request is for that client alone.
const dynamicHeaders: HeaderLines = [['cache-control', 'private, no-store']]

function pageAnswer(render: PageRender, type: string, body: Answer['body']): Answer {
  const headers: HeaderLines = [['content-type', type], ...dynamicHeaders, ...render.headers]
  return { status: render.status, headers, body }
}
