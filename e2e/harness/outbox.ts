import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { appEnv } from './appEnv.ts'
import { type AppFiles, buildApp, copyApp, waymarkCommand } from './appFolder.ts'
import { freePort } from './freePort.ts'
import { type ServerProcess, startServer } from './serverProcess.ts'

/** An app with a ledger, whose server can be taken away and come back. */
export type LedgerApp = {
  readonly origin: string
  /** Texts in the order in which the actions wrote them. */
  ledger(): string[]
  /** By SIGKILL. */
  kill(): Promise<void>
  /** @param files over those of the app: another build */
  start(files?: AppFiles['files']): Promise<void>
  logs(): string
}

/** Serves the fixture `outbox`; it ends with the test. */
export async function startLedgerApp(mode: 'dev' | 'production'): Promise<LedgerApp> {
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
      startWithinMs: 30_000,
    })
  }
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(`The server's log:\n${server?.logs()}`)
    await kill()
    rmSync(folder, { recursive: true, force: true })
    if (copied) rmSync(copied, { recursive: true, force: true })
  })
  await start()
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

/** The built-in list of what waits. */
export function outboxOf(page: Page) {
  return page.getByRole('region', { name: 'Waiting to be sent' })
}

/** Waits until the outbox's code is there, without which a call goes as without it. */
export async function outboxReady(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const all = await indexedDB.databases()
    return all.some(({ name }) => name === 'waymark-offline')
  })
}
