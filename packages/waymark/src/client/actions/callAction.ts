import type { ActionTexts } from '../../screens/screenTexts.ts'
import type { Field } from '../navigation/formFields.ts'
import type { NoticeBoard } from '../navigation/notice.ts'
import type { Page } from '../navigation/page.ts'
import { ActionError, type ActionErrorCode } from './actionError.ts'
import type { ActionRouter } from './actionRouter.ts'
import { actionTexts, refusalText } from './actionTexts.ts'
import {
  createIdempotencyKeys,
  type EncodedCall,
  encodeCall,
  type IdempotencyKeys,
  preservesInput,
  resubmit,
  unchangedState,
} from './callEncoding.ts'
import type { ServerCall } from './calls.ts'
import { createPreservedInput, type PreservedInput } from './formReset.ts'
import { createDraftRecovery, type DraftRecovery } from './restoreDraft.ts'
import {
  createFailureNotice,
  createStreamRecovery,
  type FailureNotice,
  sendWithRetry,
} from './retry.ts'
import { type ReceivedResponse, sendCall } from './sendCall.ts'

/** What the actions of a document depend on. */
export type ActionsOptions = {
  readonly view: Window
  readonly router: ActionRouter
  readonly board: NoticeBoard
  /** The fields that the user has changed. */
  readonly changed: () => readonly Field[]
  /** Silence after which the connection of a response counts as broken. */
  readonly silenceMs: number
  /** In the app's own language. */
  readonly ownTexts: Partial<ActionTexts>
}

type Actions = ActionsOptions & {
  readonly texts: ActionTexts
  readonly notice: FailureNotice
  readonly keys: IdempotencyKeys
  readonly preservedInput: PreservedInput
  readonly recovery: DraftRecovery
}

/** A call under way: how its result leads back to the page. */
type RunningCall = {
  readonly call: ServerCall
  readonly encoded: EncodedCall
  readonly key: string
  /** The page it was made on. */
  readonly page: Page
  /** What its form takes for "nothing has changed"; `null` where only an error tells. */
  readonly unchanged: { readonly value: unknown } | null
  /** React was released: its result can't be given to it any more. */
  isDetached: boolean
}

/** How long a response may take before the user is asked. */
const timeoutMs = 30_000
/** Before the first retry, of which the user learns nothing. */
const pauseMs = 400

/**
 * Creates what runs the calls of server actions: each is sent at once, beside all others.
 * @returns gives a call's result; rejects with an ActionError
 */
export function createActions(options: ActionsOptions): (call: ServerCall) => Promise<unknown> {
  const { view, board } = options
  const texts = actionTexts(options.ownTexts)
  const actions: Actions = {
    ...options,
    texts,
    notice: createFailureNotice(view, board, texts),
    keys: createIdempotencyKeys((bytes) => view.crypto.getRandomValues(bytes)),
    preservedInput: createPreservedInput(view),
    recovery: createDraftRecovery(view, options.changed),
  }
  return (call) => callAction(actions, call)
}

async function callAction(actions: Actions, call: ServerCall): Promise<unknown> {
  const page = actions.router.current()
  const encoded = await encodeCall(call.id, call.args)
  const key = actions.keys.keyFor(encoded.content)
  const unchanged = await unchangedState(call)
  const running: RunningCall = { call, encoded, key, page, unchanged, isDetached: false }
  if (call.submit) actions.preservedInput.release(call.submit.form)
  if (!unchanged) return settle(actions, running, () => {})
  return new Promise((resolve, reject) => {
    // React lets the results of actions wait for each other: a call that waits for the user must
    // not hold up the others.
    const detach = () => {
      running.isDetached = true
      resolve(unchanged.value)
    }
    settle(actions, running, detach).then(resolve, (error: unknown) => {
      if (running.isDetached) actions.notice.show(actions.texts.failed)
      reject(error)
    })
  })
}

/** Sends a call, and applies its response to the page. @returns its result */
async function settle(actions: Actions, running: RunningCall, detach: () => void) {
  const { keys, preservedInput, router, notice, texts } = actions
  const { call, encoded, key, page, unchanged } = running
  const stream = createStreamRecovery({ notice, texts, pauseMs })
  const request = {
    call: encoded,
    url: new URL(window.location.href),
    from: page.from,
    key,
    silenceMs: actions.silenceMs,
    timeoutMs,
    shouldResume: stream.shouldResume,
  }
  const received = await sendWithRetry({
    send: (signal) => sendCall({ ...request, signal }),
    notice,
    timeoutMs,
    pauseMs,
    onResubmit(listener) {
      if (call.submit) call.submit.onResubmit = listener
    },
    onQuestion() {
      if (!unchanged) return
      keys.remember(encoded.content, key)
      if (call.submit) preservedInput.preserve(call.submit.form)
      detach()
    },
    resubmit: () => running.isDetached && resubmit(call),
  })
  if (!received) {
    keys.remember(encoded.content, key)
    return withoutResult(actions, running, 'unanswered')
  }
  received.whole.catch(stream.reportCut)
  // Its form sends it again, and gets the same response.
  if (running.isDetached && resubmit(call)) return undefined
  keys.forget(encoded.content)
  const { response } = received
  if (call.submit && preservesInput(response)) preservedInput.preserve(call.submit.form)
  if (response.kind !== 'refused') return applyResponse(router, running, received)
  const { code } = response
  // Sent again, it asks for the same response.
  if (code === 'unfinished') keys.remember(encoded.content, key)
  if ((code === 'stale' || code === 'unknown') && router.isShown(page)) {
    if (await actions.recovery.reload()) return unchanged?.value
  }
  if (unchanged) notice.show(refusalText(texts, code))
  return withoutResult(actions, running, code)
}

/** A form stays as it is; the app's own code gets an error. */
function withoutResult(
  { preservedInput }: Actions,
  { call, unchanged }: RunningCall,
  code: ActionErrorCode,
): unknown {
  if (call.submit) preservedInput.preserve(call.submit.form)
  if (unchanged) return unchanged.value
  throw new ActionError(code)
}

async function applyResponse(
  router: ActionRouter,
  { page, unchanged }: RunningCall,
  received: ReceivedResponse,
): Promise<unknown> {
  const { response } = received
  const loaded =
    'page' in response && response.page ? { ...received, payload: response.page } : null
  switch (response.kind) {
    case 'redirect':
      await router.follow(response.location, response.type, page)
      return unchanged?.value
    case 'signal':
      if (loaded) await router.showScreen(loaded, page)
      return unchanged?.value
    case 'returned':
      if (loaded) await router.showPage(loaded, page)
      if (response.leaveFor !== undefined) void router.follow(response.leaveFor, 'replace', page)
      return response.value
    case 'invalid':
      if (loaded) await router.showPage(loaded, page)
      return response.value
    case 'failed':
      if (loaded) await router.showPage(loaded, page)
      throw new ActionError('failed', response.digest)
    case 'refused':
      throw new ActionError(response.code)
  }
}
