import { type App, type Mode, startApp } from './app.ts'
import type { AppFiles } from './appFolder.ts'

/** An app that several suites of a file use, one after the other. */
export type SharedApp = {
  /** Starts the app for the first suite. */
  enter(): Promise<App>
  /** Stops the app after the last suite. */
  leave(): Promise<void>
}

type Sharing = { suites: number; starting: Promise<App> | null }

const sharings = new Map<string, Sharing>()

/**
 * Registers a suite that needs an app. All suites of this worker that are registered for the same
 * files and mode share a server, because starting one takes longer than most suites.
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
 * Stops remaining apps at the end of a file. With `-t`, suites without a selected test neither enter
 * nor leave. The next file of this worker must not get a server that was stopped.
 */
export async function stopSharedApps(): Promise<void> {
  const apps = [...sharings.values()].map(({ starting }) => starting?.catch(() => null))
  sharings.clear()
  for (const app of await Promise.all(apps)) await app?.stop()
}
