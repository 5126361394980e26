import type { ReactFormState } from 'react-dom/client'
import { screenJson } from '../../screens/json.ts'
import type { Answer } from '../../shared/answer.ts'
import type { ByteChannel } from '../../shared/byteChannel.ts'
import { prefersJson, problemType } from '../../shared/prefersJson.ts'
import { digestHeader, payloadType } from '../../shared/protocol.ts'
import { headStartOf } from './documentHead.ts'
import { ends, flightBody, renderFlight } from './flight.ts'
import type { Failure } from './gate.ts'
import { lateMarkup } from './lateMarkup.ts'
import { htmlType, pageAnswer } from './pageAnswer.ts'
import { localeOf, type PageApp, type PageRequest } from './pageRequest.ts'
import { passiveReferences } from './passiveReferences.ts'
import { answerRedirect } from './redirect.ts'
import { type PageRender, renderPage } from './renderPage.ts'
import type { Place } from './segments.ts'
import { untilLeft } from './untilLeft.ts'

// Nobody receives it: what failed is the rendering for a client that had left.
const leftAnswer: Answer = { status: 499, headers: [], body: null }

// The action has had its own time: what its result still waits for is nearly there, or never comes.
const stateWithinMs = 5_000

/**
 * Answers a page: route files → elements → Flight → (HTML).
 * @param known what it failed with already: its screen is shown
 */
export async function answerPage(
  asked: PageRequest,
  app: PageApp,
  known: Failure<Place | null> | null = null,
): Promise<Answer> {
  const state = asked.formState ? await stateFlight(asked.formState, asked, app) : undefined
  const page = asked.formState && !state ? { ...asked, formState: null } : asked
  const render = await renderPage(page, app, known)
  if (render.decision.kind === 'redirect') {
    render.flight.abandon()
    return answerRedirect(render.decision, page.kind)
  }
  if (page.kind === 'data') return answerData(render, app)
  if (answersInJson(page, render)) return answerJson(page, app, render)
  try {
    return await answerDocument(page, app, render, state)
  } catch (thrown) {
    // A client component failed outside of any Suspense: its error screen is rendered instead.
    render.flight.abandon()
    if (page.request.signal.aborted) return leftAnswer
    if (render.isLast) throw thrown
    const again = await renderPage(page, app, { thrown, place: render.place })
    return answerDocument(page, app, again, state)
  }
}

/** Tells whether a screen is answered to a program, which prefers JSON to HTML. */
function answersInJson({ request, scope }: PageRequest, { status }: PageRender): boolean {
  if (status < 400 || scope.phase === 'prerender') return false
  return prefersJson(request.headers.get('accept'))
}

function answerJson(page: PageRequest, app: PageApp, render: PageRender): Answer {
  render.flight.abandon()
  const { status, headers } = render
  const digest = headers.find(([name]) => name === digestHeader)?.[1]
  const body = screenJson({ status, digest, locale: localeOf(page, app) })
  return pageAnswer(render, app, [problemType, body])
}

function answerData(render: PageRender, app: PageApp): Answer {
  return pageAnswer(render, app, [payloadType, flightBody(render.flight)])
}

async function answerDocument(
  page: PageRequest,
  app: PageApp,
  render: PageRender,
  formState: ByteChannel | undefined,
): Promise<Answer> {
  const { flight, onError, theme } = render
  let hasLeft = false
  const leave = () => {
    hasLeft = true
    flight.abandon()
  }
  // A client may leave before there is anything to send.
  if (!flight.channel.ended) onAbort(page.request.signal, leave)
  const htmlEnds = page.scope.timings?.start('html')
  const body = await app.renderDocument(flight.channel, {
    // What is missing once its rendering was abandoned fails no one.
    onError: (thrown) => (hasLeft ? '' : onError(thrown)),
    lateMarkup: (thrown) =>
      hasLeft ? '' : lateMarkup(thrown, new URL(page.request.origin).host, localeOf(page, app)),
    headStart: headStartOf(page, app, theme),
    nonce: page.scope.nonce(),
    hasFormKeys: page.scope.phase !== 'prerender',
    formState,
    passive: passiveReferences,
  })
  htmlEnds?.()
  // When the reader leaves, both renderers stop: the one that writes HTML, and the one behind it.
  const sent = typeof body === 'string' ? body : untilLeft(body, leave)
  return pageAnswer(render, app, [htmlType, sent])
}

/**
 * Writes a form's state, which React wants before it renders: all of it, or it would match no form.
 * @returns nothing where it does not come whole in time: the client may have sent a part of it
 */
async function stateFlight(
  state: ReactFormState,
  page: PageRequest,
  { report }: PageApp,
): Promise<ByteChannel | undefined> {
  const onError = (thrown: unknown) =>
    report(thrown, { ...page, phase: 'action', answerStatus: page.status })
  const { channel, abandon } = renderFlight(state, onError)
  let isLate = false
  const giveUp = () => {
    isLate = true
    abandon()
  }
  const deadline = setTimeout(giveUp, stateWithinMs)
  onAbort(page.request.signal, giveUp)
  if (!channel.ended) await ends(channel)
  clearTimeout(deadline)
  return isLate ? undefined : channel
}

function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}
