import {
  type Context,
  context,
  createContextKey,
  isSpanContextValid,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api'
import type {
  HandlerResponse,
  ObservedMatch,
  RequestHeaders,
  ServerObserver,
  ServerRequest,
  ServerStep,
} from 'waymark/plugin'
import { followBody, isSuspension, signalStatus } from 'waymark/plugin/server'
import {
  errorType,
  requestAttributes,
  responseAttributes,
  standardMethod,
  stepAttributes,
} from './attributes.ts'

/** The span of a request, and the number of its steps. */
type RequestSpan = {
  readonly span: Span
  readonly method: string
  steps: number
  /** True once an error of the request has set the span's digest. */
  hasFailed: boolean
}

/** Provider that creates no spans, which the API uses until an SDK registers a provider. */
const noProvider = new ProxyTracerProvider().getDelegate()

/** True once an SDK has registered a provider, which creates spans. */
function hasTracerProvider(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider && provider.getDelegate() === noProvider)
}

const requestKey = createContextKey('waymark.request')

const headersGetter: TextMapGetter<RequestHeaders> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.entries()].map(([name]) => name),
}

/**
 * Creates an observer that turns requests and their steps into spans.
 * @param maxSteps maximum number of spans inside a request's span
 */
export function createSpanObserver({ maxSteps }: { readonly maxSteps: number }): ServerObserver {
  const tracer = trace.getTracer('@waymark/otel')

  function startRequest(request: ServerRequest): { parent: Context; span: Span } {
    const active = context.active()
    // The app may have an instrumentation of `node:http`, which has already read `traceparent`.
    const isInside = trace.getSpan(active) !== undefined
    const parent = isInside ? active : propagation.extract(active, request.headers, headersGetter)
    const kind = isInside ? SpanKind.INTERNAL : SpanKind.SERVER
    const attributes = requestAttributes(request)
    return { parent, span: tracer.startSpan(nameOfMethod(request), { kind, attributes }, parent) }
  }

  return {
    isActive: hasTracerProvider,

    request(request, run) {
      const { parent, span } = startRequest(request)
      const current = trace.setSpan(parent, span)
      if (!span.isRecording()) {
        // Without a provider, there is nothing to pass on. A request that isn't sampled still passes
        // its trace on to other services.
        return isSpanContextValid(span.spanContext()) ? context.with(current, run) : run()
      }
      const requestSpan = { span, method: nameOfMethod(request), steps: 0, hasFailed: false }
      const responding = context.with(current.setValue(requestKey, requestSpan), run)
      const follow = (response: HandlerResponse) =>
        followResponse(response, { request, requestSpan, maxSteps })
      return 'then' in responding ? responding.then(follow) : follow(responding)
    },

    step(step, run) {
      const active = context.active()
      const requestSpan = requestSpanOf(active)
      if (!requestSpan || requestSpan.steps++ >= maxSteps) return run()
      const { name, attributes } = stepAttributes(step)
      const span = tracer.startSpan(name, { attributes }, active)
      return runStep(step, span, () => context.with(trace.setSpan(active, span), run))
    },

    matched(match) {
      const requestSpan = requestSpanOf(context.active())
      if (requestSpan) nameAfterRoute(requestSpan, match)
    },

    failed(thrown, digest) {
      const requestSpan = requestSpanOf(context.active())
      if (!requestSpan) return
      const { span } = requestSpan
      span.addEvent('waymark.error', { 'waymark.digest': digest, 'error.type': errorType(thrown) })
      if (requestSpan.hasFailed) return
      requestSpan.hasFailed = true
      span.setAttributes({ 'waymark.digest': digest, 'error.type': errorType(thrown) })
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
  }
}

/** Returns the start of a span's name, which must be one of a few. */
function nameOfMethod({ method }: ServerRequest): string {
  return standardMethod(method) ?? 'HTTP'
}

function requestSpanOf(active: Context): RequestSpan | undefined {
  // Only this file sets the key, so cast its value.
  return active.getValue(requestKey) as RequestSpan | undefined
}

function nameAfterRoute({ span, method }: RequestSpan, { pattern, kind }: ObservedMatch): void {
  span.setAttribute('waymark.kind', kind)
  if (pattern === null) return
  span.setAttribute('http.route', pattern)
  span.updateName(`${method} ${pattern}`)
}

type Following = {
  readonly request: ServerRequest
  readonly requestSpan: RequestSpan
  readonly maxSteps: number
}

/** Ends the request's span with the response, or with the last byte of its stream. */
function followResponse(response: HandlerResponse, following: Following): HandlerResponse {
  const { request, requestSpan, maxSteps } = following
  const { span } = requestSpan
  const { status, body } = response
  span.setAttributes(responseAttributes(response))
  if (status >= 500) {
    if (!requestSpan.hasFailed) span.setAttribute('error.type', String(status))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }

  function end(): void {
    const dropped = requestSpan.steps - maxSteps
    if (dropped > 0) span.setAttribute('waymark.dropped_steps', dropped)
    span.end()
  }

  // A stream with `end`, such as a live page's, lasts until the client leaves.
  const isStream = body !== null && typeof body === 'object' && Symbol.asyncIterator in body
  if (!isStream || body.end || response.upgrade) {
    end()
    return response
  }
  let bytes = 0
  const endBody = () => {
    span.setAttribute('http.response.body.size', bytes)
    end()
  }
  return {
    ...response,
    body: followBody(body, {
      onChunk(chunk) {
        bytes += chunk.byteLength
      },
      onEnd(isWhole) {
        if (!isWhole) span.setStatus({ code: SpanStatusCode.ERROR })
        endBody()
      },
      onLeave({ close }) {
        // A server also closes the body of a response to HEAD.
        if (request.method !== 'HEAD') span.setAttribute('waymark.client_left', true)
        endBody()
        return close()
      },
    }),
  }
}

/** Runs a step and ends its span when the step has returned, or when its promise has settled. */
function runStep<Result>(step: ServerStep, span: Span, run: () => Result): Result {
  const end = () => {
    if (step.kind === 'cached' && step.result) span.setAttribute('waymark.cache', step.result)
    span.end()
  }
  const fail = (thrown: unknown) => {
    markFailure(span, thrown)
    end()
  }
  let result: Result
  try {
    result = run()
  } catch (thrown) {
    fail(thrown)
    throw thrown
  }
  // Other thenables, such as query builders, may start their work each time `then` is called.
  if (result instanceof Promise) result.then(end, fail)
  else end()
  return result
}

function markFailure(span: Span, thrown: unknown): void {
  if (isSuspension(thrown)) {
    span.setAttribute('waymark.suspended', true)
    return
  }
  const status = signalStatus(thrown)
  if (status !== null) {
    span.setAttribute('waymark.signal', status)
    return
  }
  span.setAttribute('error.type', errorType(thrown))
  span.setStatus({ code: SpanStatusCode.ERROR })
}
