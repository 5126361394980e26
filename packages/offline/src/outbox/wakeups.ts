import { basePath } from 'waymark'
import { workerPath } from 'waymark/plugin/client'
import { senderLockName } from '../shared/cacheNames.ts'
import { firstPauseMs, longestPauseMs } from './limits.ts'

const syncTag = 'waymark-outbox'

/** With Web Locks, runs in only one of the browser's tabs at a time. */
function withLock(run: () => Promise<boolean>): Promise<boolean> {
  return navigator.locks ? navigator.locks.request(senderLockName(basePath), run) : run()
}

/**
 * Decides when to send the waiting entries: on request, and after pauses while something is left.
 * @param send returns false if something is left
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
      // If storage fails, the stored entries stay for the next attempt.
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
    /** Tries at once, then with short pauses, after a change that may let sending succeed. */
    restart(): void {
      pauseMs = firstPauseMs
      this.now()
    },
  }
}

type Listeners = {
  /** Called when the browser may be online, or a page has arrived from the network. */
  readonly onChance: () => void
  /** Called when a different tab has stored something, such as the user who has signed in. */
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
 * Registers for Background Sync if the browser has it. The service worker then sends the waiting
 * entries once there is a network, even if no page is open.
 * @param container `undefined` on pages without TLS
 */
export async function requestSync(container: ServiceWorkerContainer | undefined): Promise<void> {
  try {
    const registration: WithSync | undefined = await container?.getRegistration(basePath || '/')
    // A different worker may control the page, such as one for the app at the root of the origin.
    if (!registration?.active) return
    const { pathname } = new URL(registration.active.scriptURL)
    if (pathname === basePath + workerPath) await registration.sync?.register(syncTag)
  } catch {
    // The user doesn't allow Background Sync. The next page sends the entries.
  }
}
