import { createElement, type ReactElement, type ReactNode } from 'react'
import { neverThrows } from '../../shared/neverThrows.ts'
import { isThenable } from '../../shared/promises.ts'
import { type Guard, onceGuarded, withGuardedHints } from './guard.ts'
import type { SlotPath } from './slotPath.ts'
import { isSuspension } from './suspension.ts'

/** A layout, a page or metadata that threw. */
export type PageFailure = {
  readonly thrown: unknown
  /** Slot of the failed part; `null` if the part is above the root layout. */
  readonly place: SlotPath | null
  /**
   * True if a client component threw while its HTML was rendered. The browser may still be able to
   * render it.
   */
  readonly rendersInBrowser?: boolean
}

type Output = ReactNode | Promise<ReactNode>

/** A layout or a page. */
type Part = {
  readonly place: SlotPath | null
  readonly render: () => Output
  /** Guard of the layouts around the part. The part's output waits for it. */
  readonly behind?: Guard | null | undefined
  /** The layout's own guard, which passes if the layout renders and refuses if it throws. */
  readonly guard?: Guard | null
}

type StatusOptions = {
  /** Renders the screen of a part that fails after the status was decided. May reject. */
  readonly renderScreen: (failure: PageFailure) => Output
  /**
   * The client's connection: `signal` aborts when the client leaves. Creating the signal is slow,
   * so read it as late as possible.
   */
  readonly client?: { readonly signal: AbortSignal }
}

/**
 * - `open`: a failure decides the status of the page.
 * - `closing`: the deadline has passed, but a part has failed inside a layout that is still
 *   rendering. The failure only counts if this layout lets the request pass.
 * - `decided`: the status is fixed. A part that fails later shows its screen in its own place.
 */
type Phase = 'open' | 'closing' | 'decided'

/**
 * Decides a page's status. Layouts, page and metadata render at the same time, and their failures
 * are collected until the status is decided.
 */
export type PageStatus = ReturnType<typeof createPageStatus>

export function createPageStatus({ renderScreen, client }: StatusOptions) {
  const wakeUps: (() => void)[] = []

  const status = {
    phase: 'open' as Phase,
    failures: [] as PageFailure[],
    /** Number of parts that have begun to render but haven't finished. */
    runningParts: 0,

    /** Creates the element of a layout or a page. */
    part(part: Part): ReactElement {
      begin()
      return partElement(part, {
        end(hasPassed) {
          part.guard?.settle(hasPassed)
          end()
        },
        fail: (thrown) => failPart({ thrown, place: part.place }),
      })
    },

    /** Counts a promise as a part, which fails if the promise rejects. */
    follow(place: SlotPath | null, promise: Promise<unknown>): void {
      begin()
      promise.catch((thrown: unknown) => status.fail({ thrown, place })).finally(end)
    },

    /**
     * Keeps the status open until a promise has settled, because code that awaits it may still
     * fail.
     */
    delay(promise: Promise<unknown>): void {
      if (status.phase === 'decided') return
      begin()
      const release = () => setImmediate(end)
      promise.then(release, release)
    },

    /** Adds a failure. @returns false if the status is already decided, so that the failure can't change it */
    fail(failure: PageFailure): boolean {
      if (status.phase === 'decided') return false
      status.failures.push(failure)
      return true
    },

    /** Decides the status, or first waits for a layout around the failed part. */
    close(): void {
      if (status.phase === 'decided') return
      const guard = status.failures.find(isUndecided)?.place?.guard
      if (!guard || client?.signal.aborted) {
        decide()
        return
      }
      if (status.phase === 'closing') return
      status.phase = 'closing'
      client?.signal.addEventListener('abort', decideSafely, { once: true })
      guard.onVerdict(() => {
        if (status.phase !== 'closing') return
        status.phase = 'open'
        status.close()
      })
    },

    /** Returns true once the status can't change any more. */
    isSettled: () => status.phase === 'decided' || status.runningParts === 0,

    /**
     * Waits until the status is settled.
     * @param whenRendered waits until React has rendered the last part's output, which may call
     * `gate()`
     */
    async settled(whenRendered: () => Promise<void>): Promise<void> {
      while (!status.isSettled()) {
        await new Promise<void>((resolve) => wakeUps.push(resolve))
        await whenRendered()
      }
    },
  }

  function begin(): void {
    status.runningParts++
  }

  function end(): void {
    status.runningParts--
    if (status.runningParts === 0) wake()
  }

  function wake(): void {
    for (const wakeUp of wakeUps.splice(0)) wakeUp()
  }

  function decide(): void {
    status.phase = 'decided'
    const decided = status.failures.filter((failure) => !isUndecided(failure))
    status.failures.splice(0, Number.POSITIVE_INFINITY, ...decided)
    wake()
  }
  const decideSafely = neverThrows(decide, undefined)

  function failPart(failure: PageFailure): Output {
    if (status.fail(failure)) return null
    const screen = renderScreen(failure)
    if (isThenable(screen)) Promise.resolve(screen).catch(() => {})
    return screen
  }

  return status
}

/** True while a layout around the failed part is still undecided. */
function isUndecided({ place }: PageFailure): boolean {
  return place?.guard?.verdict === 'pending'
}

type PartEnd = {
  readonly end: (hasPassed: boolean) => void
  readonly fail: (thrown: unknown) => Output
}

function partElement(part: Part, { end, fail }: PartEnd): ReactElement {
  const { render, behind = null } = part
  // A layout may call `preload()` before it refuses, so its hints wait for the layout itself.
  const hintGuard = part.guard ?? behind
  // React calls a component again after it has suspended, so count it only once.
  let hasEnded = false
  const endOnce = (hasPassed: boolean) => {
    if (!hasEnded) end(hasPassed)
    hasEnded = true
  }
  const succeed = (node: ReactNode) => {
    endOnce(true)
    return onceGuarded(behind, node)
  }
  const failOnce = (thrown: unknown) => {
    const screen = fail(thrown)
    endOnce(false)
    return onceGuarded(behind, screen as ReactNode)
  }
  // Use a component without props, because React would write a function in its props into its debug rows in
  // development.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  return createElement(function RouteFile(): Output {
    let rendered: Output
    try {
      rendered = withGuardedHints(hintGuard, render)
    } catch (thrown) {
      if (isSuspension(thrown)) throw thrown
      return failOnce(thrown)
    }
    return isThenable(rendered)
      ? Promise.resolve(rendered).then(succeed, failOnce)
      : succeed(rendered)
  })
}
