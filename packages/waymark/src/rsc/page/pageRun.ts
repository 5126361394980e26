import { createElement, type ReactElement, type ReactNode } from 'react'
import { neverThrows } from '../../shared/neverThrows.ts'
import { isThenable, timedOut, withDeadline } from '../../shared/promises.ts'
import { ends, type FlightRender, whenIdle } from './flight.ts'
import { type Guard, onceGuarded, withGuardedHints } from './guard.ts'
import { isSuspension } from './suspension.ts'

export type PageFailure<Place> = {
  readonly thrown: unknown
  readonly place: Place
  /** Thrown by a client component while its HTML was rendered: a browser may succeed. */
  readonly rendersInBrowser?: boolean
}

type GuardedPlace = { readonly guard: Guard | null } | null

type Output = ReactNode | Promise<ReactNode>

/** A layout or a page. */
type Part<Place> = {
  readonly place: Place
  readonly render: () => Output
  /** Its output waits for this one. */
  readonly behind?: Guard | null | undefined
  /** A layout's own guard, which it settles by how it ends. */
  readonly guard?: Guard | null
}

type RunOptions<Place> = {
  /** What a part shows that failed after the status was decided; may reject. */
  readonly onLateFailure: (failure: PageFailure<Place>) => Output
  readonly client?: Client
}

/** Its signal aborts when the client has left; read late, as reading it costs. */
type Client = { readonly signal: AbortSignal }

type DecideOptions = {
  readonly deadlineMs: number
  /** Whether all of the page counts, not only its layouts, page and metadata. */
  readonly isWhole: boolean
  readonly client: Client
}

export type PageRun<Place extends GuardedPlace> = ReturnType<typeof createPageRun<Place>>

/** Creates the run of a page: its parts render side by side; together they decide its status. */
export function createPageRun<Place extends GuardedPlace>({
  onLateFailure,
  client,
}: RunOptions<Place>) {
  const parts = createPartCount()
  const { failures, fail, close, isDecided } = createDecision<Place>(parts.wake, client)
  const isSettled = () => isDecided() || parts.running() === 0

  /** @param next waits for React to render what the last part returned: it may call `gate()` */
  async function settled(next: () => Promise<void>): Promise<void> {
    while (!isSettled()) {
      await parts.whenNoneRuns()
      await next()
    }
  }

  function failPart(failure: PageFailure<Place>): Output {
    if (fail(failure)) return null
    const shown = onLateFailure(failure)
    if (isThenable(shown)) Promise.resolve(shown).catch(() => {})
    return shown
  }

  return {
    failures,
    fail,
    close,
    isSettled,
    settled,
    /** Creates the element of a layout or a page. */
    part({ place, render, behind = null, guard = null }: Part<Place>): ReactElement {
      parts.begin()
      const end = (hasPassed: boolean) => {
        guard?.settle(hasPassed)
        parts.end()
      }
      const failHere = (thrown: unknown) => failPart({ thrown, place })
      return partElement({ render, behind, hintGuard: guard ?? behind, end, fail: failHere })
    },
    /** Counts a promise as a part: what it rejects with is a failure. */
    follow(place: Place, promise: Promise<unknown>): void {
      parts.begin()
      promise.catch((thrown: unknown) => fail({ thrown, place })).finally(parts.end)
    },
    /** Keeps the status open until a promise has settled, so that who awaits it can still fail. */
    delayStatus(promise: Promise<unknown>): void {
      if (isDecided()) return
      parts.begin()
      const release = () => setImmediate(parts.end)
      promise.then(release, release)
    },
  }
}

/**
 * Waits for the status of a page: until its parts have rendered or the deadline has passed. A
 * rendering whose client has left is abandoned.
 * @returns what failed until then
 */
export async function decideStatus<Place extends GuardedPlace>(
  { failures, close, isSettled, settled }: PageRun<Place>,
  { channel, abandon }: FlightRender,
  { deadlineMs, isWhole, client }: DecideOptions,
): Promise<readonly PageFailure<Place>[]> {
  const next = () => whenIdle(channel)
  await next()
  if (!isSettled() || (isWhole && !channel.ended)) {
    const { signal } = client
    const rendering = isWhole ? settled(next).then(() => ends(channel)) : settled(next)
    if ((await withDeadline(rendering, deadlineMs, signal)) === timedOut) {
      close()
      await settled(next)
    }
    if (signal.aborted) abandon()
  }
  close()
  return failures
}

function createPartCount() {
  const waiting: (() => void)[] = []
  let running = 0
  function wake(): void {
    for (const resolve of waiting.splice(0)) resolve()
  }
  return {
    running: () => running,
    wake,
    begin: () => void running++,
    end(): void {
      running--
      if (running === 0) wake()
    },
    whenNoneRuns: () => new Promise<void>((resolve) => waiting.push(resolve)),
  }
}

/**
 * Collects what fails until the status is decided. There are three phases:
 * - `open`: what a part throws decides the status.
 * - `closing`: the deadline has passed, but something has failed behind a layout that has not
 *   rendered. That failure counts only if the layout lets it pass.
 * - `decided`: the status is sent. What fails now shows its screen in its place.
 */
function createDecision<Place extends GuardedPlace>(onDecided: () => void, client?: Client) {
  const failures: PageFailure<Place>[] = []
  let phase: 'open' | 'closing' | 'decided' = 'open'

  function decide(): void {
    phase = 'decided'
    for (const failure of failures.filter(isUndecided)) {
      failures.splice(failures.indexOf(failure), 1)
    }
    onDecided()
  }
  const decideSafely = neverThrows(decide, undefined)

  function close(): void {
    if (phase === 'decided') return
    const undecided = failures.find(isUndecided)?.place?.guard
    if (!undecided || client?.signal.aborted) return void decide()
    if (phase === 'closing') return
    phase = 'closing'
    client?.signal.addEventListener('abort', decideSafely, { once: true })
    undecided.onVerdict(() => {
      if (phase !== 'closing') return
      phase = 'open'
      close()
    })
  }

  return {
    failures: failures as readonly PageFailure<Place>[],
    isDecided: () => phase === 'decided',
    close,
    /** @returns whether the failure can still decide the status */
    fail(failure: PageFailure<Place>): boolean {
      if (phase === 'decided') return false
      failures.push(failure)
      return true
    },
  }
}

function isUndecided({ place }: PageFailure<GuardedPlace>): boolean {
  return place?.guard?.verdict === 'pending'
}

function partElement({
  render,
  behind,
  hintGuard,
  end,
  fail,
}: {
  render: () => Output
  behind: Guard | null
  /** A layout may call `preload()` before it refuses, so its hints wait for the layout itself. */
  hintGuard: Guard | null
  end: (hasPassed: boolean) => void
  fail: (thrown: unknown) => Output
}): ReactElement {
  // React calls a component again after it has suspended; it counts once.
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
    const shown = fail(thrown)
    endOnce(false)
    return onceGuarded(behind, shown as ReactNode)
  }
  // No props: the dev server would write a function among them into its debug rows.
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
