import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import type { App, Mode } from './app.ts'
import type { AppFiles } from './appFolder.ts'
import { shareApp } from './sharedApp.ts'

/** An app as a suite sees it: named at once, running by the time its tests run. */
export type Served = {
  readonly mode: Mode
  readonly app: App
  /** @param path begins with a slash */
  url(path: string): string
  /** Fetches without following redirects. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

type Define = (served: Served) => void

/** True in a run of `npm test -- e2e-all`. */
export const runsAll = process.env.WAYMARK_E2E_ALL === '1'

/** Those in which suites run whose app does the same in both. */
export const appModes: readonly Mode[] = runsAll ? ['dev', 'production'] : ['production']

/**
 * A suite about what the dev server shares with `waymark start`, line for line: it runs against an
 * app in production, and in development with `npm test -- e2e-all`.
 */
export function describeApp(name: string, files: AppFiles, define: Define): void {
  describeModes(name, { ...files, modes: appModes }, define)
}

/**
 * A suite about what development might do differently: it runs against an app in both. Suites of
 * one file that ask for equal apps share them.
 * @param options the app; `modes` when only one makes sense
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
      // The first request makes a dev server do work once, which must not be part of the first test.
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
    if (!app) throw new Error('The app runs within tests only.')
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
