import { createElement, type ReactElement, type ReactNode } from 'react'
import { isSuspension } from '../../react/rsc/guardGrips.ts'
import { neverThrows } from '../../shared/neverThrows.ts'
import { isThenable } from '../../shared/promises.ts'
import { behindBarrier, type OutputBarrier } from './outputBarrier.ts'
import { mayRunBefore, withGuardedHints } from './resourceHints.ts'

/** What a part of a page threw, and where that part stands. */
export type GateFailure<Place> = {
  readonly thrown: unknown
  readonly place: Place
  /** Thrown by a client component while its HTML was rendered: a browser may succeed. */
  readonly rendersInBrowser?: boolean
}

type Output = ReactNode | Promise<ReactNode>

/** `outer`: the output of a decider waits for it; `own`: those inside of it wait for this one. */
type Barriers = { readonly outer: OutputBarrier | null; readonly own: OutputBarrier | null }

/** A place of a page, with the barrier of the layouts around it. */
type GuardedPlace = { readonly barrier: OutputBarrier | null } | null

type Client = { readonly signal: AbortSignal }

/**
 * Collects the failures of a route's deciders: its layouts, its page and its metadata. What any of
 * them throws before the gate closes decides the status of the response; after that it can't.
 */
export type StatusGate<Place extends GuardedPlace> = ReturnType<typeof createStatusGate<Place>>

/**
 * Creates a gate.
 * @param onLate says what a decider that failed too late shows; it may reject
 * @param client its signal aborts when the client has left; read late, as reading it costs
 */
export function createStatusGate<Place extends GuardedPlace>(
  onLate: (failure: GateFailure<Place>) => Output,
  client?: Client,
) {
  const waiting: (() => void)[] = []
  const resume = () => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  const { failures, isOpen, add, close } = createFailures<Place>(resume, client)
  let running = 0
  const ended = () => {
    running--
    if (running === 0) resume()
  }
  const fail = (failure: GateFailure<Place>): Output => {
    if (add(failure)) return null
    const shown = onLate(failure)
    // Where it is never sent, nothing else handles its rejection.
    if (isThenable(shown)) Promise.resolve(shown).catch(() => {})
    return shown
  }
  return {
    failures,
    add,
    close,
    /** Tells whether all deciders have rendered, or it is closed. */
    isSettled: () => !isOpen() || running === 0,
    /**
     * Resolves once all deciders that run now have rendered, or at `close`. Their output may have
     * more of them: check `isSettled` again.
     */
    async whenSettled(): Promise<void> {
      if (isOpen() && running > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    /** Creates the element of a decider: the gate is notified when React has rendered it. */
    decide(place: Place, render: () => Output, barriers: Barriers): ReactElement {
      running++
      return createDecider(render, barriers, { ended, failed: (thrown) => fail({ thrown, place }) })
    },
    /** Counts a promise as a decider: what it rejects with is a failure. */
    follow(place: Place, promise: Promise<unknown>): void {
      running++
      promise.catch((thrown: unknown) => add({ thrown, place })).finally(ended)
    },
    /** Waits for a promise, so that what awaits it can still fail in time. */
    hold(promise: Promise<unknown>): void {
      if (!isOpen()) return
      running++
      const release = () => setImmediate(ended)
      promise.then(release, release)
    },
  }
}

/** Collects failures until it is closed. @param onClosed called once it is, perhaps again */
function createFailures<Place extends GuardedPlace>(onClosed: () => void, client?: Client) {
  const failures: GateFailure<Place>[] = []
  let isOpen = true
  let isClosing = false

  /** From now on a failure no longer counts. */
  function shut(): void {
    isOpen = false
    for (const failure of failures.filter(isUndecided))
      failures.splice(failures.indexOf(failure), 1)
    onClosed()
  }
  const shutSafely = neverThrows(shut, undefined)

  return {
    failures: failures as readonly GateFailure<Place>[],
    isOpen: () => isOpen,
    /**
     * Adds what a part of the page threw.
     * @returns whether the gate was still open
     */
    add(failure: GateFailure<Place>): boolean {
      if (isOpen) failures.push(failure)
      return isOpen
    },
    /**
     * Closes the gate: at once, unless something has failed behind a layout that has not rendered
     * yet. That failure counts only once the layout lets it pass.
     */
    close: function close(): void {
      const undecided = failures.find(isUndecided)?.place?.barrier
      if (!undecided || client?.signal.aborted) {
        shut()
        return
      }
      if (isClosing) return
      isClosing = true
      client?.signal.addEventListener('abort', shutSafely, { once: true })
      undecided.whenKnown(() => {
        isClosing = false
        if (isOpen) close()
      })
    },
  }
}

function isUndecided({ place }: GateFailure<GuardedPlace>): boolean {
  return place?.barrier?.isOpen === null
}

type DeciderListener = {
  readonly ended: () => void
  /** @returns what is shown instead */
  readonly failed: (thrown: unknown) => Output
}

function createDecider(
  render: () => Output,
  { outer, own }: Barriers,
  { ended, failed }: DeciderListener,
): ReactElement {
  // React calls a component again after it has suspended; it counts once.
  let hasEnded = false
  const end = (mayPass: boolean) => {
    if (hasEnded) return
    hasEnded = true
    own?.settle(mayPass)
    ended()
  }
  const succeed = (node: ReactNode) => {
    end(true)
    return behindBarrier(outer, node)
  }
  const fail = (thrown: unknown) => {
    const shown = failed(thrown)
    end(false)
    // React's types know no promise of a promise.
    return behindBarrier(outer, shown as ReactNode)
  }
  const run = (): Output => {
    let rendered: Output
    try {
      rendered = withGuardedHints(outer, render)
    } catch (thrown) {
      if (isSuspension(thrown)) throw thrown
      return fail(thrown)
    }
    return isThenable(rendered) ? Promise.resolve(rendered).then(succeed, fail) : succeed(rendered)
  }
  // No props: the dev server would write a function among them into its debug rows.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  return createElement(function Decider() {
    if (mayRunBefore(outer)) return run()
    return new Promise<ReactNode>((resolve) => {
      outer?.whenKnown((isOpen) => {
        if (!isOpen) end(false)
        resolve(isOpen ? createElement(run) : null)
      })
    })
  })
}
