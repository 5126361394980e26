import { createElement, type ReactElement, type ReactNode } from 'react'
import { neverThrows } from '../../shared/neverThrows.ts'
import { isThenable } from '../../shared/promises.ts'
import { withGuardedHints } from './resourceHints.ts'

/** What a part of a page threw, and where that part stands. */
export type Failure<Place> = { readonly thrown: unknown; readonly place: Place }

/**
 * Collects the failures of a route's deciders: its layouts, its page and its metadata. What any of
 * them throws before the gate closes decides the status of the response; after that it can't.
 */
export type StatusGate<Place> = {
  /**
   * Creates the element of a decider: the gate is notified when React has rendered it.
   * @param passages `outer`: its output waits for it; `own`: those inside wait for this one
   */
  decide(
    place: Place,
    render: () => ReactNode | Promise<ReactNode>,
    passages: { readonly outer: OutputBarrier | null; readonly own: OutputBarrier | null },
  ): ReactElement
  /** Counts a promise as a decider: what it rejects with is a failure. */
  follow(place: Place, promise: Promise<unknown>): void
  /** Waits for a promise, so that what awaits it can still fail in time. */
  hold(promise: Promise<unknown>): void
  /**
   * Adds what anything but a decider threw.
   * @returns whether the gate was still open
   */
  add(failure: Failure<Place>): boolean
  /** Tells whether all deciders have rendered, or it is closed. */
  isSettled(): boolean
  readonly failures: readonly Failure<Place>[]
  /**
   * Resolves once all deciders that run now have rendered, or at `close`. Their output may have
   * more of them: check `isSettled` again.
   */
  whenSettled(): Promise<void>
  /**
   * From now on a failure no longer counts. It closes at once, unless something has failed behind
   * a layout that has not rendered yet: that failure counts only once the layout lets it pass.
   */
  close(): void
}

/**
 * Creates a gate.
 * @param onLate says what a decider that failed too late shows; it may reject
 * @param around `passageTo`: through the layouts around a place; `request`: its signal aborts when
 *   the client has left. It is made at its first use, which most pages do without
 */
export function createStatusGate<Place>(
  onLate: (failure: Failure<Place>) => ReactNode | Promise<ReactNode>,
  around: Around<Place> = {},
): StatusGate<Place> {
  const running = createCountdown()
  const { failures, add, isOpen, close } = createFailures(around, running.finish)

  function failed(failure: Failure<Place>): ReactNode | Promise<ReactNode> {
    if (add(failure)) return null
    const shown = onLate(failure)
    // Where it is never sent, nothing else handles its rejection.
    if (isThenable(shown)) Promise.resolve(shown).catch(() => {})
    return shown
  }

  return {
    decide(place, render, { outer, own }) {
      running.add()
      return createDecider({
        render: () => withGuardedHints(outer, render),
        ended(isOpen) {
          own?.settle(isOpen)
          running.remove()
        },
        failed: (thrown) => failed({ thrown, place }),
        // React's types know no promise of a promise.
        given: (node) => behindBarrier(outer, node as ReactNode),
      })
    },
    follow(place, promise) {
      running.add()
      promise.catch((thrown: unknown) => add({ thrown, place })).finally(running.remove)
    },
    hold(promise) {
      if (!isOpen()) return
      running.add()
      const release = () => setImmediate(running.remove)
      promise.then(release, release)
    },
    add,
    isSettled: () => !isOpen() || running.count() === 0,
    failures,
    whenSettled: () => (isOpen() ? running.whenOver() : Promise.resolve()),
    close,
  }
}

type Around<Place> = {
  readonly passageTo?: (place: Place) => OutputBarrier | null
  readonly request?: { readonly signal: AbortSignal }
}

/** Collects failures until it is closed. @param onClosed called once */
function createFailures<Place>(
  { passageTo = () => null, request }: Around<Place>,
  onClosed: () => void,
) {
  const failures: Failure<Place>[] = []
  let open = true
  let isClosing = false
  const isUndecided = ({ place }: Failure<Place>) => passageTo(place)?.isOpen === null

  function close(): void {
    const behind = failures.find(isUndecided)
    if (behind === undefined || request?.signal.aborted) {
      shut()
      return
    }
    if (isClosing) return
    isClosing = true
    request?.signal.addEventListener('abort', onLeave, { once: true })
    passageTo(behind.place)?.whenKnown(() => {
      isClosing = false
      request?.signal.removeEventListener('abort', onLeave)
      if (open) close()
    })
  }

  const onLeave = neverThrows(() => shut(), undefined)

  function shut(): void {
    open = false
    if (failures.some(isUndecided)) {
      failures.splice(0, failures.length, ...failures.filter((failure) => !isUndecided(failure)))
    }
    onClosed()
  }

  return {
    failures,
    add(failure: Failure<Place>): boolean {
      if (open) failures.push(failure)
      return open
    },
    isOpen: () => open,
    close,
  }
}

function createCountdown() {
  let count = 0
  const waiting: (() => void)[] = []
  const finish = () => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  return {
    add: () => void count++,
    remove() {
      count--
      if (count === 0) finish()
    },
    count: () => count,
    finish,
    whenOver: () =>
      count === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve)),
  }
}

type Decision = {
  readonly render: () => ReactNode | Promise<ReactNode>
  /** @param isOpen whether what stands inside may be shown */
  readonly ended: (isOpen: boolean) => void
  /** @returns what is shown instead */
  readonly failed: (thrown: unknown) => ReactNode | Promise<ReactNode>
  /** Passes the output on once the layouts around it let it pass. */
  readonly given: (node: ReactNode | Promise<ReactNode>) => ReactNode | Promise<ReactNode>
}

function createDecider({ render, ended, failed, given }: Decision): ReactElement {
  // React calls a component again after it has suspended; it counts once.
  let hasEnded = false
  const end = (isOpen: boolean) => {
    if (!hasEnded) ended(isOpen)
    hasEnded = true
  }
  const succeed = (node: ReactNode) => {
    end(true)
    return given(node)
  }
  const fail = (thrown: unknown) => {
    const shown = failed(thrown)
    end(false)
    return given(shown)
  }
  // No props: the dev server would write a function among them into its debug rows.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  return createElement(function Decider() {
    let rendered: ReactNode | Promise<ReactNode>
    try {
      rendered = render()
    } catch (thrown) {
      if (isSuspension(thrown)) throw thrown
      return fail(thrown)
    }
    return isThenable(rendered) ? Promise.resolve(rendered).then(succeed, fail) : succeed(rendered)
  })
}

// `use` interrupts a render by throwing; React exports no other way to tell it from an error.
function isSuspension(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.startsWith('Suspense Exception')
}

/**
 * Whether all layouts above a segment have rendered without redirecting or throwing. Layouts and
 * page of a route run side by side; the output of each waits for the layouts around it, so that
 * nothing from behind a layout that refuses leaves the server.
 */
export type OutputBarrier = {
  /** `null` while it is not known. */
  readonly isOpen: boolean | null
  /** Calls back once it is known. */
  whenKnown(listener: (isOpen: boolean) => void): void
  /** Reports how the segment itself went. */
  settle(isOpen: boolean): void
}

/**
 * Creates the barrier of a segment.
 * @param outer that of the segments around it
 */
export function createOutputBarrier(outer: OutputBarrier | null): OutputBarrier {
  let own: boolean | null = null
  let listeners: ((isOpen: boolean) => void)[] = []

  function update(): void {
    const around = outer === null ? true : outer.isOpen
    if (passage.isOpen !== null || (own !== false && (own === null || around === null))) return
    const isOpen = own && around === true
    passage.isOpen = isOpen
    for (const listener of listeners) listener(isOpen)
    listeners = []
  }

  const passage = {
    isOpen: null as boolean | null,
    whenKnown(listener: (isOpen: boolean) => void) {
      if (passage.isOpen === null) listeners.push(listener)
      else listener(passage.isOpen)
    },
    settle(isOpen: boolean) {
      own = isOpen
      update()
    },
  }
  outer?.whenKnown(update)
  return passage
}

/** Passes a value on once a barrier is open, and `null` when it is known not to open. */
export function behindBarrier<T>(
  passage: OutputBarrier | null,
  value: T,
): T | null | Promise<T | null> {
  if (passage === null || passage.isOpen === true) return value
  if (passage.isOpen === false) return null
  return new Promise((resolve) => passage.whenKnown((isOpen) => resolve(isOpen ? value : null)))
}

/** Creates a node that is sent once a barrier is open, and is empty when it does not open. */
export function behind(passage: OutputBarrier | null, node: ReactNode): ReactNode {
  if (passage === null) return node
  // No props: the dev server would write the node into its debug rows.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  return createElement(function Behind() {
    return behindBarrier(passage, node)
  })
}
