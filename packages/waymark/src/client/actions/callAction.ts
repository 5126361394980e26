import type { ActionTexts } from '../../screens/screenTexts.ts'
import type { Field } from '../navigation/formFields.ts'
import type { NoticeBoard } from '../navigation/notice.ts'
import type { Page } from '../navigation/page.ts'
import { ActionError, type ActionErrorCode } from './actionError.ts'
import type { ActionRouter } from './actionRouter.ts'
import { actionTexts, refusalText } from './actionTexts.ts'
import {
  type EncodedCall,
  encodeCall,
  preservesInput,
  resend,
  unchangedState,
} from './callEncoding.ts'
import type { ServerCall } from './calls.ts'
import { createPreservedInput, type PreservedInput } from './formReset.ts'
import {
  type CallOrder,
  createCallOrder,
  createIdempotencyKeys,
  type IdempotencyKeys,
} from './idempotencyKeys.ts'
import { createDraftRecovery, type DraftRecovery } from './restoreDraft.ts'
import {
  createFailureNotice,
  type FailureNotice,
  type ResumableStream,
  readResumable,
  sendWithRetry,
} from './retry.ts'
import { type ReceivedResponse, sendCall } from './sendCall.ts'

/** What the actions of a document are made of. */
export type ActionsOptions = {
  readonly view: Window
  readonly router: ActionRouter
  readonly board: NoticeBoard
  /** The fields that a person has filled in. */
  readonly changed: () => readonly Field[]
  /** Silence after which a connection is broken over which an answer comes. */
  readonly silenceMs: number
  /** Of the app's own language. */
  readonly ownTexts: Partial<ActionTexts>
}

type Actions = ActionsOptions & {
  readonly texts: ActionTexts
  readonly unsent: FailureNotice
  readonly keys: IdempotencyKeys
  readonly turns: CallOrder
  readonly kept: PreservedInput
  readonly recovery: DraftRecovery
}

/** A call on its way: how its result leads back to the page. */
type Run = {
  readonly call: ServerCall
  readonly encoded: EncodedCall
  readonly key: string
  readonly turn: string
  /** The page it was made on. */
  readonly asked: Page
  /** What its form takes for "nothing has changed"; `null` where only an error tells. */
  readonly still: { readonly value: unknown } | null
  /** React has let go of the call: its result can't be given to it any more. */
  isLeft: boolean
}

/** How long an answer may take before a person is asked. */
const lateMs = 30_000
/** Before what failed is tried again unasked. */
const pauseMs = 400

/**
 * Makes what answers the calls of server actions: each is sent at once, beside all others.
 * @returns gives a call's result; rejects with an ActionError
 */
export function createActions(options: ActionsOptions): (call: ServerCall) => Promise<unknown> {
  const { view, board } = options
  const texts = actionTexts(options.ownTexts)
  const keys = createIdempotencyKeys((bytes) => view.crypto.getRandomValues(bytes))
  const actions: Actions = {
    ...options,
    texts,
    unsent: createFailureNotice(view, board, texts),
    keys,
    turns: createCallOrder(keys.keyFor('').slice(0, 10)),
    kept: createPreservedInput(view),
    recovery: createDraftRecovery(view, options.changed),
  }
  return async (call) => {
    const turn = actions.turns.take(call.id)
    return answer(actions, call, turn.header).finally(turn.end)
  }
}

async function answer(actions: Actions, call: ServerCall, turn: string): Promise<unknown> {
  const encoded = await encodeCall(call.id, call.args)
  const run: Run = {
    call,
    encoded,
    key: actions.keys.keyFor(encoded.content),
    turn,
    asked: actions.router.current(),
    still: await unchangedState(call),
    isLeft: false,
  }
  if (call.submit) actions.kept.release(call.submit.form)
  const { still } = run
  let leave = () => {}
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  const result = deliver(actions, run, leave)
  if (!still) return result
  // React lets the results of actions wait for each other: what waits for a person lets go.
  await Promise.race([result, left])
  if (!run.isLeft) return result
  result.catch(() => actions.unsent.tell(actions.texts.failed))
  return still.value
}

async function deliver(actions: Actions, run: Run, leave: () => void): Promise<unknown> {
  const { keys, kept, router, unsent } = actions
  const { call, encoded, key, asked, still } = run
  const tail = readResumable({ ...actions, pauseMs })
  const received = await sendWithRetry({
    send: senderOf(run, actions.silenceMs, tail),
    unsent,
    lateMs,
    pauseMs,
    onAgain(listener) {
      if (call.submit) call.submit.again = listener
    },
    onAsked() {
      if (!still) return
      run.isLeft = true
      keys.remember(encoded.content, key)
      if (call.submit) kept.keep(call.submit.form)
      leave()
    },
    resend: () => run.isLeft && resend(call),
  })
  if (!received) {
    keys.remember(encoded.content, key)
    return unchanged(actions, run, 'unanswered')
  }
  received.whole.catch(tail.tellOfCut)
  // Its form asks once more, and is given the same answer.
  if (run.isLeft && resend(call)) return undefined
  keys.forget(encoded.content)
  if (call.submit && preservesInput(received.answer)) kept.keep(call.submit.form)
  if (received.answer.kind !== 'refused') return settle(router, run, received)
  const { code } = received.answer
  // Sent once more, it asks for the same answer.
  if (code === 'unfinished') keys.remember(encoded.content, key)
  if ((code === 'stale' || code === 'unknown') && router.isShown(asked)) {
    if (await actions.recovery.reload()) return still?.value
  }
  if (still) unsent.tell(refusalText(actions.texts, code))
  return unchanged(actions, run, code)
}

/** Makes the requests of a submission, all of them to the page that it was made on. */
function senderOf(
  { encoded, key, turn, asked }: Run,
  silenceMs: number,
  { goesOn }: ResumableStream,
) {
  const url = new URL(window.location.href)
  const { from } = asked
  const sending = { call: encoded, url, from, submissionKey: key, turn, silenceMs, lateMs, goesOn }
  return (signal: AbortSignal) => sendCall({ ...sending, signal })
}

/** The call has no result: a form stays as it is, and code is told. */
function unchanged({ kept }: Actions, { call, still }: Run, code: ActionErrorCode): unknown {
  if (call.submit) kept.keep(call.submit.form)
  if (still) return still.value
  throw new ActionError(code)
}

async function settle(
  router: ActionRouter,
  { asked, still }: Run,
  received: ReceivedResponse,
): Promise<unknown> {
  const { answer } = received
  const loaded = 'page' in answer && answer.page ? { ...received, payload: answer.page } : null
  switch (answer.kind) {
    case 'redirect':
      await router.follow({ location: answer.location, kind: answer.type, loaded }, asked)
      return still?.value
    case 'signal':
      if (loaded) await router.answerScreen(loaded, asked)
      return still?.value
    case 'returned':
      if (loaded) await router.adopt(loaded, asked)
      if (answer.leaveFor !== undefined) {
        void router.follow({ location: answer.leaveFor, kind: 'replace', loaded: null }, asked)
      }
      return answer.value
    case 'invalid':
      if (loaded) await router.adopt(loaded, asked)
      return answer.value
    case 'failed':
      if (loaded) await router.adopt(loaded, asked)
      throw new ActionError('failed', answer.digest)
    case 'refused':
      throw new ActionError(answer.code)
  }
}
