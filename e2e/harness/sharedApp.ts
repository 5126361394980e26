import { type App, type Mode, startApp } from './app.ts'
import type { AppFiles } from './appFolder.ts'

/** An app that several suites of a file use, one after the other. */
export type SharedApp = {
  /** Starts it for the first of them. */
  enter(): Promise<App>
  /** Stops it after the last of them. */
  leave(): Promise<void>
}

type Sharing = { suites: number; starting: Promise<App> | null }

const sharings = new Map<string, Sharing>()

/**
 * Announces a suite that needs an app: a server of equal files in the same mode serves all that
 * were announced in this worker, for it takes longer to start than most suites take.
 */
export function shareApp(files: AppFiles, mode: Mode): SharedApp {
  const key = JSON.stringify([mode, files])
  const sharing = sharings.get(key) ?? { suites: 0, starting: null }
  sharings.set(key, sharing)
  sharing.suites++
  return {
    enter() {
      sharing.starting ??= startApp({ ...files, mode })
      return sharing.starting
    },
    async leave() {
      sharing.suites--
      if (sharing.suites > 0) return
      sharings.delete(key)
      const app = await sharing.starting?.catch(() => null)
      await app?.stop()
    },
  }
}

/**
 * Stops the apps that are left when a file ends: with `-t`, suites without a chosen test neither enter
 * nor leave. The next file of this worker must not be handed a server that has been stopped.
 */
export async function stopSharedApps(): Promise<void> {
  const apps = [...sharings.values()].map(({ starting }) => starting?.catch(() => null))
  sharings.clear()
  for (const app of await Promise.all(apps)) await app?.stop()
}
