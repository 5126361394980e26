import type { BootParts } from './bootParts.ts'
import type { RunningRouter } from './running.ts'

/** Starts React and the router, once. */
export type Starter = {
  /** Fetches their code, and no more. */
  load(): void
  /** @returns once the router can navigate; rejects when that can't be had */
  start(): Promise<RunningRouter>
  /** The router, once it runs. */
  router(): RunningRouter | null
  /** Whether it was asked for. */
  readonly hasBegun: boolean
}

/**
 * Makes the starter of a document.
 * @param parts made at the first start
 * @param shell resolves once there is something to take over
 */
export function createStarter(parts: () => BootParts, shell: Promise<void>): Starter {
  let running: RunningRouter | null = null
  let starting: Promise<RunningRouter> | null = null
  const load = () => import('./start.tsx')

  async function begin(): Promise<RunningRouter> {
    const app = await load()
    await shell
    running = await app.start(parts())
    return running
  }
  return {
    load: () => void load().catch(() => {}),
    start() {
      starting ??= begin()
      // Who waits for it hears of it.
      starting.catch(() => {})
      return starting
    },
    router: () => running,
    get hasBegun() {
      return starting !== null
    },
  }
}
