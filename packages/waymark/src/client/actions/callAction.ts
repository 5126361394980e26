import { queueCalls } from 'virtual:waymark/hooks/queueCalls'
import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'
import { reportUpload } from '../../components/useUpload.ts'
import type { ScreenLocale } from '../../screens/screenTexts.ts'
import type { ActionResponse } from '../../wire/actionResponse.ts'
import { trace } from '../../wire/trace.ts'
import { userOfDocument } from '../document/userHeaders.ts'
import type { Field } from '../navigation/formFields.ts'
import type { NoticeBoard } from '../navigation/notice.ts'
import type { Page } from '../navigation/page.ts'
import { createRetries, retryPolicies } from '../retry/retry.ts'
import { ActionError, type ActionErrorCode } from './actionError.ts'
import { type ActionRouterOptions, createActionRouter } from './actionRouter.ts'
import { createIdempotencyKeys, type EncodedCall, encodeCall } from './callEncoding.ts'
import { createPreservedForms, resubmit, unchangedState } from './callForm.ts'
import {
  actionTexts,
  type CallNotice,
  type CallProblem,
  createCallNotice,
  refusalText,
} from './callNotice.ts'
import type { ServerCall } from './calls.ts'
import { reloadWithDraft } from './restoreInput.ts'
import {
  askToRetry,
  callTimeoutMs,
  type ReceivedResponse,
  sendCall,
  sendWithRetry,
} from './sendCall.ts'
import { hasFiles, type UploadProgress } from './sendUpload.ts'
import { catchUncaughtCalls } from './uncaughtCalls.ts'

export type ActionsOptions = {
  readonly view: Window
  readonly pages: ActionRouterOptions
  readonly board: NoticeBoard
  readonly locale: ScreenLocale
  readonly changed: () => readonly Field[]
}

export function createActions(options: ActionsOptions): (call: ServerCall) => Promise<unknown> {
  const actions = createState(options)
  const send: QueueableActions['send'] = (call, callOptions) =>
    callAction(actions, call, callOptions)
  if (!queueCalls) return send
  const queued = queueCalls({
    encode: encodeCall,
    decode: createFromReadableStream,
    unchanged: unchangedState,
    changed: options.changed,
    send,
  })
  return queued ?? ((call) => sendWithoutQueue(send, call))
}

/** Sends a call at once if the package that should queue it has failed. */
async function sendWithoutQueue(
  send: QueueableActions['send'],
  call: ServerCall,
): Promise<unknown> {
  const user = userOfDocument()
  if (user === undefined) throw new Error("The document's user could not be read.")
  return send(call, { user })
}

/** Functions that a package uses to send calls to server actions, now or later. */
export type QueueableActions = {
  /** Encodes the arguments of a call as the body of its request. */
  readonly encode: typeof encodeCall
  /** Decodes the response to a call that was sent elsewhere, for example by a service worker. */
  readonly decode: (body: ReadableStream<Uint8Array>) => Promise<ActionResponse>
  /**
   * Returns the result that leaves a form unchanged, or `null` if the app's code awaits the call.
   */
  readonly unchanged: typeof unchangedState
  /** Sends a call, shows the page that comes with the response, and returns the result. */
  send(call: ServerCall, options?: CallOptions): Promise<unknown>
  /** Returns the fields that the user has changed. */
  readonly changed: () => readonly Field[]
}

export type CallOptions = {
  /** The encoded call and its key, if the call was sent or stored before. */
  readonly again?: SentCall
  /**
   * True if the package can send the call again later. On a failure, the call then rejects with an
   * `ActionError`, and no notice is shown.
   */
  readonly isQueued?: boolean
  /** The encrypted user of the page; `null` for a page without a user. */
  readonly user?: string | null
  /** Called with the response. @returns false if the response should not change the page */
  readonly onResponse?: (received: ReceivedResponse) => boolean
}

type Actions = ReturnType<typeof createState>

function createState({ view, pages, board, locale, changed }: ActionsOptions) {
  const texts = actionTexts(locale.texts.actions)
  const notice = createCallNotice(view, board, texts)
  const preserved = createPreservedForms(view)
  return {
    view,
    changed,
    locale,
    texts,
    notice,
    preserved,
    router: createActionRouter(pages),
    keys: createIdempotencyKeys(),
    prepareError: catchUncaughtCalls({ view, notice, texts, preserved, changed }),
    silenceMs: pages.timeoutMs,
  }
}

/** A call that was sent before, or was stored to be sent later. */
export type SentCall = {
  readonly encoded: EncodedCall
  /** Idempotency key. The server runs the call once, no matter how often it is sent. */
  readonly key: string
}

type RunningCall = SentCall &
  Omit<CallOptions, 'again'> & {
    readonly call: ServerCall
    readonly page: Page
    /**
     * Pages to try after `page`, because the action may belong to a page that the user has left.
     */
    readonly otherPages: readonly Page[]
    readonly retry: () => Promise<unknown>
    /** The result that leaves the form unchanged; `null` if the caller needs an error. */
    readonly unchanged: { readonly value: unknown } | null
    /** True once React has received `unchanged`, after which the real result can't reach React any more. */
    isDetached: boolean
    /** True once a request may have left the browser. */
    mayHaveRun: boolean
    /** True once the user has cancelled the upload of the call's files. */
    isCancelled: boolean
    /** The 4xx status with which the last request was refused. */
    refusedWith: number | null
  }

async function callAction(
  actions: Actions,
  call: ServerCall,
  { again, ...options }: CallOptions = {},
): Promise<unknown> {
  const { keys, notice, preserved, texts } = actions
  const encoded = again?.encoded ?? (await encodeCall(call))
  const sent: SentCall = again ?? { encoded, key: keys.keyFor(encoded.content) }
  const running: RunningCall = {
    ...sent,
    ...options,
    call,
    page: call.page,
    otherPages: otherPages(actions, call),
    retry: () =>
      callAction(actions, { ...call, submit: null }, { again: sent, user: options.user ?? null }),
    unchanged: options.isQueued ? null : await unchangedState(call),
    isDetached: false,
    mayHaveRun: again !== undefined || keys.has(encoded.content),
    isCancelled: false,
    refusedWith: null,
  }
  const { key, unchanged } = running
  if (import.meta.env.WAYMARK_TRACED) trace({ type: 'action', id: encoded.id, outcome: null })
  if (call.submit) preserved.delete(call.submit.form)
  return new Promise((resolve, reject) => {
    // React shows results together, so a call that waits for the user's answer must not hold up the
    // others.
    const detach = () => {
      if (!unchanged) return
      keys.remember(encoded.content, key)
      preserveInput(actions, call)
      running.isDetached = true
      resolve(unchanged.value)
    }
    sendAndFinish(actions, running, detach).then(resolve, (error: unknown) => {
      if (running.isDetached) notice.show(texts.failed)
      reject(error)
    })
  })
}

/**
 * Returns previous pages that are still mounted. Their actions can be called even after the user
 * has left the page.
 */
function otherPages({ router }: Actions, { page }: ServerCall): readonly Page[] {
  return router.previous().filter(({ route }) => route.pathname !== page.route.pathname)
}

/**
 * Sends a call with retries. @returns `null` if the call was abandoned or its form was submitted
 * again
 */
function send(
  { notice, texts, silenceMs }: Actions,
  running: RunningCall,
  detach: () => void,
): Promise<ReceivedResponse | null> {
  const { call, encoded, key, page, retry, unchanged, isQueued = false, user = null } = running
  let isAbandoned = false
  const request = {
    ...encoded,
    url: new URL(page.route.pathname + page.route.search, window.location.href),
    from: page.from,
    beside: page.beside ?? [],
    key,
    isQueued,
    user,
    retry,
    silenceMs,
    timeoutMs: callTimeoutMs,
    resume: {
      retries: createRetries(retryPolicies.form),
      // The response broke off, and requesting it again has failed, too.
      onExhausted: async () => {
        isAbandoned = isQueued || !(await askToRetry(null, notice.ask))
        return !isAbandoned
      },
    },
  }
  const ask: CallNotice['ask'] = (problem, onChoice) => {
    const question = notice.ask(problem, (choice) =>
      onChoice(choice === 'retry' && submitAgain(running) ? 'dismiss' : choice),
    )
    if (call.submit) call.submit.onResubmit = () => question.choose('retry')
    // Don't detach a late call, because its response may still arrive and React should get the result.
    if (problem.kind !== 'late') detach()
    return question
  }
  const onUnanswered = (problem: CallProblem) => {
    running.refusedWith = problem.kind === 'refused' ? problem.status : null
  }
  const options = {
    ask: isQueued ? null : ask,
    isAwaited: !unchanged,
    silenceMs,
    onHanging: detach,
    onUnanswered,
  }
  // A queued call is sent again later, so its form has no progress.
  const form = isQueued ? null : (call.submit?.form ?? null)
  const isUpload = hasFiles(encoded.body)
  return sendWithRetry(async (signal, onProgress, stop) => {
    const cancel = () => {
      running.isCancelled = true
      stop()
    }
    const onUpload = (progress: UploadProgress | null) => {
      if (!signal.aborted) onProgress(progress)
      if (form) reportUpload(form, progress && { ...progress, share: shareOf(progress), cancel })
    }
    // The server doesn't run the action before it has the whole body.
    const onAllSent = () => {
      running.mayHaveRun ||= navigator.onLine
    }
    if (!isUpload) onAllSent()
    const received = await sendCall({ ...request, signal, onUpload, onAllSent })
    // If the result was cut off or corrupted, inform the user, because the page may already show a
    // part of the result.
    received.whole.catch(() => isAbandoned || isQueued || notice.show(texts.resultGone))
    return received
  }, options)
}

function shareOf({ sentBytes, totalBytes }: UploadProgress): number {
  return totalBytes > 0 ? sentBytes / totalBytes : 0
}

/**
 * Sends a call. If the server doesn't allow the action on the call's page, tries previous pages that
 * are still mounted.
 */
async function sendAndFinish(
  actions: Actions,
  running: RunningCall,
  detach: () => void,
): Promise<unknown> {
  let sent = running
  let received = await send(actions, sent, detach)
  for (const page of running.otherPages) {
    const response = received?.response
    if (response?.kind !== 'refused' || response.code !== 'unknown') break
    sent = { ...running, page }
    received = await send(actions, sent, detach)
  }
  return finish(actions, sent, received)
}

function submitAgain({ call, isDetached }: RunningCall): boolean {
  return isDetached && call.submit !== null && resubmit(call.submit)
}

function preserveInput({ preserved }: Actions, { submit }: ServerCall): void {
  if (submit) preserved.add(submit.form)
}

async function finish(
  actions: Actions,
  running: RunningCall,
  received: ReceivedResponse | null,
): Promise<unknown> {
  const { keys, router } = actions
  const { call, encoded, key, page, unchanged } = running
  if (import.meta.env.WAYMARK_TRACED) {
    const outcome = received?.response.kind ?? 'unanswered'
    trace({ type: 'action', id: encoded.id, outcome })
  }
  if (!received) {
    keys.remember(encoded.content, key)
    if (!running.isDetached && !running.isQueued) preserveInput(actions, call)
    const code = running.isCancelled ? 'cancelled' : 'not-sent'
    return withoutResult(actions, running, running.mayHaveRun ? 'unanswered' : code)
  }
  if (submitAgain(running)) return undefined
  keys.forget(encoded.content)
  const { response, changed } = received
  // Invalidate pages first, because showing the response may leave the page on which the action was called.
  if (changed ?? changedBy(response)) router.invalidate(changed ?? 'data')
  if (running.onResponse?.(received) === false) return undefined
  if (response.kind !== 'returned' && response.kind !== 'redirect') preserveInput(actions, call)
  if ('page' in response && response.page) {
    const loaded = { ...received, payload: response.page }
    await (response.kind === 'signal'
      ? router.showScreen(loaded, page)
      : router.showPage(loaded, page))
  }
  switch (response.kind) {
    case 'redirect':
      await router.follow(response.location, response.type, page)
      return unchanged?.value
    case 'signal':
      return unchanged?.value
    case 'returned':
      if (response.leaveFor !== undefined) void router.follow(response.leaveFor, 'replace', page)
      return response.value
    case 'invalid':
      return response.value
    case 'failed':
      if (changed) router.refreshOtherPage(page)
      throw new ActionError('failed', running.retry, { digest: response.digest })
    case 'refused':
      return refused(actions, running, response)
  }
}

/**
 * True if the response contains a page or redirects, which means that data has probably changed.
 */
function changedBy(response: ReceivedResponse['response']): boolean {
  return response.kind === 'redirect' || ('page' in response && response.page !== undefined)
}

type Refusal = Extract<ActionResponse, { kind: 'refused' }>

async function refused(
  actions: Actions,
  running: RunningCall,
  { code, maxBytes }: Refusal,
): Promise<unknown> {
  const { keys, notice, router, view } = actions
  const { encoded, key, unchanged } = running
  const { page } = running.call
  // Reuse the key for the next attempt, so that it gets the response to this unfinished call.
  if (code === 'unfinished') keys.remember(encoded.content, key)
  if ((code === 'stale' || code === 'unknown') && router.isCurrent(page)) {
    if (await reloadWithDraft(view, actions.changed)) return unchanged?.value
  }
  if (unchanged) notice.show(refusalText(code, actions, maxBytes))
  return withoutResult(actions, running, code)
}

/**
 * Ends a call without a result: the form stays unchanged, or code that awaits the call gets an
 * error.
 */
function withoutResult(
  { prepareError }: Actions,
  { unchanged, retry, refusedWith }: RunningCall,
  code: ActionErrorCode,
): unknown {
  if (unchanged) return unchanged.value
  throw prepareError(new ActionError(code, retry, { status: refusedWith }))
}
