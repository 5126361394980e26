import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import type { App, Mode } from './app.ts'
import type { AppFiles } from './appFolder.ts'
import { runsAll } from './runLength.ts'
import { shareApp } from './sharedApp.ts'

/**
 * The app of a suite. The object exists when the suite is defined, but the app only runs while the
 * suite's tests run.
 */
export type Served = {
  readonly mode: Mode
  readonly app: App
  /** @param path a path that starts with a slash */
  url(path: string): string
  /** Fetches without following redirects. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

type Define = (served: Served) => void

/** Modes in which suites run if their app behaves the same in both modes. */
export const appModes: readonly Mode[] = runsAll ? ['dev', 'production'] : ['production']

/**
 * Defines a suite about behaviour that the dev server shares with `waymark start`. It runs in
 * production, and also in development with `npm test -- e2e-all`.
 */
export function describeApp(name: string, files: AppFiles, define: Define): void {
  describeModes(name, { ...files, modes: appModes }, define)
}

/**
 * Defines a suite about behaviour that may differ in development, and runs it in both modes. Suites
 * of one file with the same app share a server for each mode.
 * @param options the app, and `modes` if only one mode applies
 */
export function describeModes(
  name: string,
  options: AppFiles & { readonly modes?: readonly Mode[] },
  define: Define,
): void {
  const { modes = ['dev', 'production'], ...files } = options
  describe.each(modes)(`${name}, %s`, (mode) => {
    const shared = shareApp(files, mode)
    let app: App | null = null
    beforeAll(async () => {
      app = await shared.enter()
      // Send a first request, so that the dev server's one-time work doesn't count against the
      // first test's time limit.
      if (mode === 'dev') await fetch(app.origin).then((response) => response.text())
    })
    afterEach(({ task }) => {
      if (task.result?.state === 'fail') console.error(`The server's log:\n${app?.logs()}`)
    })
    afterAll(shared.leave)
    define(servedBy(mode, () => app))
  })
}

function servedBy(mode: Mode, current: () => App | null): Served {
  const running = () => {
    const app = current()
    if (!app) throw new Error('The app runs only within tests.')
    return app
  }
  return {
    mode,
    get app() {
      return running()
    },
    url: (path) => `${running().origin}${path}`,
    fetch: (path, init) => fetch(`${running().origin}${path}`, { redirect: 'manual', ...init }),
  }
}
