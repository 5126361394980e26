import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { root as repository } from '../scripts/workspace/paths.mjs'
import { run } from '../scripts/workspace/run.mjs'
import { appEnv } from './harness/appEnv.ts'
import { runWaymark } from './harness/commandLine.ts'
import { freePort } from './harness/freePort.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { appSource } from './harness/paths.ts'
import { type ServerProcess, startServer } from './harness/serverProcess.ts'

// Characters that have a meaning in code, patterns, URLs or shells. Windows allows some of them only
// in URLs, so the name is shorter there.
const everywhere = "Tom's (1) [a] {b,c} 100% %20 &+;=@!^~ $x $& `y` über u\u0308 日本 👩‍💻"
const name = process.platform === 'win32' ? everywhere : `${everywhere} "q" <i>|\t`

const parent = join(inject('workFolder'), 'odd')
const folder = join(parent, name)
const command = join(folder, 'node_modules/waymark/bin/waymark.js')

beforeAll(() => {
  rmSync(parent, { recursive: true, force: true })
  cpSync(appSource('dev'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  // Put React and the framework into the folder, too, because their code contains their own paths.
  const copied = [
    [inject('workFolder'), 'waymark'],
    [repository, 'react'],
    [repository, 'react-dom'],
    [repository, 'scheduler'],
    [repository, '@vitejs/plugin-rsc'],
  ] as const
  for (const [from, packageName] of copied) {
    const target = join(folder, 'node_modules', packageName)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(from, 'node_modules', packageName), target, { recursive: true, dereference: true })
  }
})

afterAll(() => rmSync(parent, { recursive: true, force: true }))

async function serve(subcommand: 'dev' | 'start'): Promise<ServerProcess & { origin: string }> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = await startServer({
    args: [command, subcommand, '--port', String(port)],
    cwd: folder,
    env: appEnv(),
    listening: origin,
    startWithinMs: 60_000,
  })
  return { ...server, origin }
}

/** Checks that a page has its styles, and that its button works. */
async function useCounter(server: { readonly origin: string }) {
  const { page, expectQuietConsole } = await openPage(server)
  await page.goto('/')
  const button = page.getByRole('button')
  await (await hydratedElement(button)).click()
  await expect.poll(() => button.textContent()).toBe('Count 1')
  const color = await button.evaluate((element) => getComputedStyle(element).color)
  expect(color).toBe('rgb(4, 5, 6)')
  expectQuietConsole()
  return page
}

test('an app is built and served in a folder with every character that Vite supports', async () => {
  const program = [command, 'build']
  const built = await run(process.execPath, program, { cwd: folder, quiet: true, env: appEnv() })
  expect([built.exitCode, built.output]).toEqual([0, expect.stringContaining('○ /')])
  const server = await serve('start')
  await useCounter(server)
  await server.stop()
})

test('the dev server works in such a folder, with updates and the positions of errors', async () => {
  const server = await serve('dev')
  const page = await useCounter(server)
  const write = (text: string) => writeFileSync(join(folder, 'app/greeting.ts'), text)
  write("export const greeting = 'Edited'\n")
  await expect.poll(() => page.locator('h1').textContent()).toBe('Edited')
  expect(await page.getByRole('button').textContent()).toBe('Count 1')
  write('type Text = string\n\nexport const greeting: Text = missing\n')
  await expect.poll(server.logs).toContain('app/greeting.ts:3:31')
  expect(server.logs()).toContain('3 | export const greeting: Text = missing')
  await server.stop()
})

test('a folder with a character that Vite does not support is refused', async () => {
  const refused = join(parent, 'a#b')
  mkdirSync(refused)
  for (const subcommand of ['dev', 'build']) {
    const { exitCode, output } = await runWaymark([subcommand], refused)
    expect([subcommand, exitCode]).toEqual([subcommand, 1])
    expect(output).toMatch(/^The path of the project, ".*a#b", contains "#".*\(PROJECT_PATH\)$/m)
  }
})
