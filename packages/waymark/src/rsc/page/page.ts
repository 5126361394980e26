import type { Answer, AnswerBody, HeaderLines } from '../../shared/answer.ts'
import { payloadType } from '../../shared/protocol.ts'
import { flightBody } from './flight.ts'
import { lateMarkup } from './lateMarkup.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import { answerRedirect } from './redirect.ts'
import { type PageRender, renderPage } from './renderPage.ts'
import { untilLeft } from './untilLeft.ts'

const htmlType = 'text/html; charset=utf-8'

// Nobody receives it: what failed is the rendering for a client that had left.
const leftAnswer: Answer = { status: 499, headers: [], body: null }

/** Answers a page: route files → elements → Flight → (HTML). */
export async function answerPage(page: PageRequest, app: PageApp): Promise<Answer> {
  const render = await renderPage(page, app)
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
    return pageAnswer(render, htmlType, await renderHtml(page, app, render))
  } catch (thrown) {
    // A client component failed outside of any Suspense: its error screen is rendered instead.
    render.flight.abandon()
    if (page.request.signal.aborted) return leftAnswer
    if (render.isLast) throw thrown
    const again = await renderPage(page, app, { thrown, place: render.place })
    return pageAnswer(again, htmlType, await renderHtml(page, app, again))
  }
}

async function renderHtml(
  page: PageRequest,
  app: PageApp,
  render: PageRender,
): Promise<AnswerBody> {
  const { flight, onError, theme } = render
  const headStart = app.theme.headStart(theme)
  let hasLeft = false
  const leave = () => {
    hasLeft = true
    flight.abandon()
  }
  // A client may leave before there is anything to send.
  if (!flight.channel.ended) onAbort(page.request.signal, leave)
  const body = await app.renderDocument(flight.channel, {
    // What is missing once its rendering was abandoned fails no one.
    onError: (thrown) => (hasLeft ? '' : onError(thrown)),
    lateMarkup: (thrown) => (hasLeft ? '' : lateMarkup(thrown, new URL(page.request.origin).host)),
    headStart,
  })
  // When the reader leaves, both renderers stop: the one that writes HTML, and the one behind it.
  return typeof body === 'string' ? body : untilLeft(body, leave)
}

function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}

// What is rendered for one request is for that client alone.
const dynamicHeaders: HeaderLines = [['cache-control', 'private, no-store']]

function pageAnswer(render: PageRender, type: string, body: Answer['body']): Answer {
  const headers: HeaderLines = [['content-type', type], ...dynamicHeaders, ...render.headers]
  return { status: render.status, headers, body }
}
