import { basePath } from 'waymark'
import { workerPath } from 'waymark/plugin/client'
import { senderLockName } from '../shared/cacheNames.ts'
import { firstPauseMs, longestPauseMs } from './limits.ts'

const syncTag = 'waymark-outbox'

/** Runs in one tab of the browser at a time, where it has Web Locks. */
function withLock(run: () => Promise<boolean>): Promise<boolean> {
  return navigator.locks ? navigator.locks.request(senderLockName(basePath), run) : run()
}

/**
 * Decides when what waits is sent: when it is asked to, and after pauses while something is left.
 * @param send returns false where something is left
 */
export function createWakeups(send: () => Promise<boolean>) {
  let timer: ReturnType<typeof setTimeout> | null = null
  let pauseMs = firstPauseMs
  let isRunning = false
  let isRerunRequested = false

  async function run(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    isRunning = true
    let isDone = false
    do {
      isRerunRequested = false
      // Storage may fail at any time: what is stored stays.
      isDone = await withLock(send).catch(() => false)
    } while (isRerunRequested)
    isRunning = false
    if (isDone) pauseMs = firstPauseMs
    else later()
  }
  function later(): void {
    if (timer !== null || isRunning) return
    timer = setTimeout(run, pauseMs)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
  return {
    now(): void {
      if (isRunning) isRerunRequested = true
      else void run()
    },
    later,
    /** Something has changed: the next pauses are short again. */
    restart(): void {
      pauseMs = firstPauseMs
      this.now()
    },
  }
}

type Listeners = {
  /** There may be a connection, or a page that came over one. */
  readonly onChance: () => void
  /** Another tab has stored something, such as who is signed in. */
  readonly onStorage: () => void
}

/** Listens for moments at which sending may succeed. */
export function listenForChances(view: Window, { onChance, onStorage }: Listeners): void {
  view.addEventListener('online', onChance)
  view.addEventListener('pageshow', onChance)
  view.addEventListener('storage', onStorage)
  view.document.addEventListener('visibilitychange', () => {
    if (view.document.visibilityState === 'visible') onChance()
  })
}

type WithSync = ServiceWorkerRegistration & {
  readonly sync?: { register(tag: string): Promise<void> }
}

/**
 * Asks for Background Sync, where the browser has it: once there is a network, the service worker
 * sends what waits, though no page is open.
 * @param container `undefined` on pages without TLS
 */
export async function requestSync(container: ServiceWorkerContainer | undefined): Promise<void> {
  try {
    const registration: WithSync | undefined = await container?.getRegistration(basePath || '/')
    // The app may have another worker, or the app at the root of the origin may have this one.
    if (!registration?.active) return
    const { pathname } = new URL(registration.active.scriptURL)
    if (pathname === basePath + workerPath) await registration.sync?.register(syncTag)
  } catch {
    // The user does not allow it: the next page sends.
  }
}
