import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { appEnv } from './appEnv.ts'
import { type AppFiles, buildApp, copyApp, waymarkCommand } from './appFolder.ts'
import { freePort } from './freePort.ts'
import { openPage } from './page.ts'
import { type ServerProcess, startServer } from './serverProcess.ts'

/** An app that writes a ledger. Its server can be stopped and started again. */
export type LedgerApp = {
  readonly origin: string
  /** Returns the texts that actions have written into the ledger, in order. */
  ledger(): string[]
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>
  /**
   * Starts the server again.
   * @param files app files to replace for a different build
   */
  start(files?: AppFiles['files']): Promise<void>
  logs(): string
}

/**
 * Serves the fixture `outbox` until the test ends.
 * @param first app files to replace in the first build
 */
export async function startLedgerApp(
  mode: 'dev' | 'production',
  first: AppFiles['files'] = {},
): Promise<LedgerApp> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const folder = mkdtempSync(join(tmpdir(), 'waymark-outbox-'))
  const file = join(folder, 'ledger.txt')
  let server: ServerProcess | null = null
  let copied: string | null = null
  const kill = async () => {
    await server?.kill()
    server = null
  }
  async function start(files: AppFiles['files'] = {}): Promise<void> {
    const app = { app: 'outbox', files }
    if (mode === 'dev') copied ??= copyApp(app)
    const cwd = copied ?? (await buildApp(app))
    const command = mode === 'dev' ? 'dev' : 'start'
    server = await startServer({
      args: [waymarkCommand(), command, '--port', String(port)],
      cwd,
      env: appEnv({ LEDGER: file }),
      listening: origin,
      startWithinMs: 60_000,
    })
  }
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(`The server's log:\n${server?.logs()}`)
    await kill()
    rmSync(folder, { recursive: true, force: true })
    if (copied) rmSync(copied, { recursive: true, force: true })
  })
  await start(first)
  return {
    origin,
    kill,
    start,
    logs: () => server?.logs() ?? '',
    ledger() {
      try {
        const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
        return lines.map((line) => line.slice(line.indexOf(' ') + 1))
      } catch {
        return []
      }
    },
  }
}

/** Returns the built-in list of waiting submissions. */
export function outboxOf(page: Page) {
  return page.getByRole('region', { name: 'Waiting to be sent' })
}

/**
 * Waits until a page has loaded the code for calls and for the outbox, which happens when the page
 * is idle.
 */
export async function outboxReady(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(async () => {
    const all = await indexedDB.databases()
    return all.some(({ name }) => name?.startsWith('waymark-offline'))
  })
}

/** Match the browser's console messages about a server that doesn't respond. */
export const networkErrors = [/Failed to load resource/, /WebSocket/, /\[vite\]/]

/** Opens a page of the fixture, and waits until the page can work offline. */
export async function openOutbox(
  app: Pick<LedgerApp, 'origin'>,
  path = '/',
  options: BrowserContextOptions = {},
) {
  const visit = await openPage(app, options)
  await visit.page.goto(path)
  await outboxReady(visit.page)
  return visit
}

/** Submits the form that adds a note. */
export async function add(page: Page, text: string): Promise<void> {
  await page.getByLabel('Text', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}
