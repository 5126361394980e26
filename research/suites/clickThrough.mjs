import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium as engine } from 'playwright-core'
import { say } from '../../scripts/workspace/run.mjs'
import { chromium } from '../../scripts/workspace/systemTools.mjs'

/**
 * The actions of a user in an app, with checks of the result. A step throws if a check fails.
 * @typedef {(page: import('playwright-core').Page) => Promise<void>} Step
 */

/** @returns {Promise<number>} a free port */
export async function freePort() {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Starts a program, and ends it after it was used.
 * @template T
 * @param {readonly string[]} command
 * @param {import('node:child_process').SpawnOptions} options
 * @param {() => Promise<boolean>} isReady
 * @param {() => Promise<T>} use
 */
export async function whileRunning([program = '', ...args], options, isReady, use) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const listen = (/** @type {Buffer} */ chunk) => {
    output += chunk
  }
  child.stdout?.on('data', listen)
  child.stderr?.on('data', listen)
  const ended = once(child, 'close')
  try {
    for (const endMs = Date.now() + 60_000; !(await isReady()); await pause(200)) {
      if (child.exitCode === null && Date.now() < endMs) continue
      throw new Error(`${program} ${args.join(' ')} does not run:\n${output}`)
    }
    return await use()
  } catch (error) {
    say(output.slice(-4000))
    throw error
  } finally {
    child.kill('SIGINT')
    await ended
  }
}

/**
 * Serves an app while it is used.
 * @template T
 * @param {string} app folder of the app
 * @param {'dev' | 'start'} command
 * @param {{ port: number, env: Readonly<Record<string, string>>, bin?: string }} options `bin` is the
 *   program that the app has installed
 * @param {(origin: string) => Promise<T>} use
 */
export function whileServed(
  app,
  command,
  { port, env, bin = 'node_modules/waymark/bin/waymark.js' },
  use,
) {
  const origin = `http://localhost:${port}`
  const isReady = () =>
    fetch(`${origin}/favicon.ico`).then(
      () => true,
      () => false,
    )
  const program = [process.execPath, bin, command, '--port', String(port)]
  const all = { ...process.env, ...env }
  return whileRunning(program, { cwd: app, env: all }, isReady, () => use(origin))
}

/**
 * Takes the steps one after the other in one tab. After a failed step, the others are still tried.
 * @param {string} origin
 * @param {Record<string, Step>} steps steps by name
 * @param {{ name: string, value: string }[]} [cookies]
 * @returns {Promise<import('./suite.mjs').Count>}
 */
export async function clickThrough(origin, steps, cookies = []) {
  const executablePath = chromium.find()
  if (executablePath === null) throw new Error(chromium.hint())
  const browser = await engine.launch({ executablePath, args: ['--no-sandbox'] })
  /** @type {string[]} */
  const failures = []
  let passed = 0
  try {
    const context = await browser.newContext({
      baseURL: origin,
      viewport: { width: 1280, height: 900 },
    })
    await stayOn(context, origin)
    await context.addCookies(cookies.map((each) => ({ ...each, url: origin })))
    context.setDefaultTimeout(15_000)
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => {
      if (!saysForeign(message, origin)) failures.push(`an error in the page: ${message}`)
    })
    for (const [name, take] of Object.entries(steps)) {
      const error = await take(page).then(
        () => null,
        (thrown) => thrown,
      )
      say(`  ${error ? 'failed' : 'passed'}: ${name}`)
      if (error) failures.push(`${name} (${page.url()}): ${error.message}`)
      else passed += 1
    }
  } finally {
    await browser.close()
  }
  return { passed, failures }
}

/** Nothing but an app's own server can be reached. @param {import('playwright-core').BrowserContext} context @param {string} origin */
export function stayOn(context, origin) {
  return context.route(
    (url) => url.origin !== origin,
    (route) => route.abort(),
  )
}

/**
 * True if a message is about a script that can't be reached.
 * @param {string} message
 * @param {string} origin
 */
export function saysForeign(message, origin) {
  const [, url] = /^The script (\S+) couldn't be loaded/.exec(message) ?? []
  return url !== undefined && !url.startsWith(origin)
}

/**
 * @param {boolean} isTrue
 * @param {unknown} value the actual value
 */
export function check(isTrue, value) {
  if (!isTrue) throw new Error(`It is ${JSON.stringify(value)}.`)
}
