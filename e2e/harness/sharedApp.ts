import { type App, type Mode, startApp } from './app.ts'
import type { AppFiles } from './appFolder.ts'

/** An app that several suites of a file use in turn. */
export type SharedApp = {
  /** Starts the app if this is the first suite that uses it. */
  enter(): Promise<App>
  /** Stops the app after the last suite that uses it. */
  leave(): Promise<void>
}

type Sharing = { suites: number; starting: Promise<App> | null }

const sharings = new Map<string, Sharing>()

/**
 * Registers a suite that needs an app. All suites of this worker with the same files and mode share
 * a server, because starting a server takes longer than most suites.
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
 * Stops apps that are still running at the end of a file, so that the worker's next file starts its
 * own. With `-t`, suites without a selected test call neither `enter` nor `leave`.
 */
export async function stopSharedApps(): Promise<void> {
  const apps = [...sharings.values()].map(({ starting }) => starting?.catch(() => null))
  sharings.clear()
  for (const app of await Promise.all(apps)) await app?.stop()
}
