/**
 * Drives pages in browsers that can't be controlled remotely. The app's page is in an iframe. The
 * page around it asks this process for commands. Clicks are made with `element.click()`.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { watch, watchFrame } from './watch.mjs'

/**
 * Command lines of browsers. The URL is appended, and `{profile}` is replaced with an empty folder.
 */
export const commands = {
  firefox: 'firefox-esr --headless --no-remote --profile {profile}',
  webkit: 'xvfb-run -a {webkit}/MiniBrowser',
}
const webkitFolder = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1'
const waitAtMostMs = 60_000

/**
 * Starts a browser, which opens when the first page is needed.
 * @param watches true to record the events of documents. Off by default, because in one of six runs
 * of WebKitGTK, Back then leaves the outer page.
 * @returns `inPage(proxy, act)`, which calls `act` with a page that has the Playwright methods that
 * the cases use. Calls must not overlap.
 */
export async function openFramePages(command, watches = false) {
  const remote = await startRemote()
  let browser = null
  return {
    async inPage(proxy, act) {
      const isOuter = ({ target }) => target === '/~frame'
      proxy.inject({ kind: 'replace', body: outerPage(remote.port, watches) }, { match: isOuter })
      const address = `${proxy.origin}/~frame`
      if (browser === null) browser = openBrowser(command, address)
      else remote.send('leave', { address })
      try {
        await remote.loaded(proxy.origin)
        return await act(createPage(remote))
      } catch (error) {
        // Close the browser, because its outer page may be busy forever.
        await browser.close()
        browser = null
        throw error
      }
    },
    async close() {
      await browser?.close()
      remote.close()
    },
  }
}

/** Creates a page object whose methods send commands to the frame. */
function createPage(remote) {
  let first = null
  const call = (act, argument) => remote.send('call', { source: String(act), argument })
  return {
    evaluate: call,
    /** Returns the events that `watchFrame` recorded, with their times. */
    watched: () => remote.send('watched'),
    waitForTimeout: sleep,
    addInitScript(act, argument) {
      first = { source: String(act), argument }
    },
    goto: (path) => remote.send('open', { path, first }),
    waitForLoadState: () => remote.send('settle'),
    waitForFunction: (act, argument, { timeout = waitAtMostMs } = {}) =>
      remote.send('until', { source: String(act), argument, timeout }),
    locator: (selector) => ({
      click: () => remote.send('click', { selector }),
      hover: () => remote.send('hover', { selector }),
    }),
  }
}

/**
 * Starts the server from which outer pages request the next command. Each request also reports the
 * outcome of the previous command.
 */
async function startRemote() {
  let waitingResponse = null
  let current = null
  let opened = null
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    const { origin, outcome } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    if (outcome) current?.settle(outcome)
    else opened?.(origin)
    waitingResponse = response
    deliver()
  })
  const deliver = () => {
    if (waitingResponse === null || current === null || current.isSent) return
    current.isSent = true
    waitingResponse.end(JSON.stringify(current.command))
    waitingResponse = null
  }
  await new Promise((resolve) => server.listen(0, 'localhost', resolve))
  return {
    port: server.address().port,
    send(name, argument = {}) {
      return new Promise((resolve, reject) => {
        const settle = ({ value, error }) => {
          clearTimeout(timer)
          current = null
          if (error === undefined) resolve(value)
          else reject(new Error(error))
        }
        const error = `${name} got no answer within ${waitAtMostMs} ms`
        const timer = setTimeout(() => settle({ error }), waitAtMostMs)
        current = { command: { name, ...argument }, settle, isSent: false }
        deliver()
        // Don't wait for the outcome of `leave`, because a page that leaves can't report one.
        if (name === 'leave') settle({})
      })
    },
    /** Waits until the outer page of an origin has made its first request. */
    loaded: (expected) =>
      new Promise((resolve, reject) => {
        const error = new Error(`The browser did not open ${expected}`)
        const timer = setTimeout(() => reject(error), waitAtMostMs)
        opened = (origin) => {
          if (origin !== expected) return
          clearTimeout(timer)
          resolve()
        }
      }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function outerPage(port, watches) {
  const scripts = `${watch};${watchFrame};${createActs};(${obey})(${port}, ${watches})`
  return `<!doctype html><meta charset="utf-8"><body><script>${scripts}</script>`
}

/** Returns the commands for the frame, by name. Runs in the outer page. */
function createActs(watches) {
  const frame = document.createElement('iframe')
  Object.assign(frame, { width: 1000, height: 600 })
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const inside = () => frame.contentWindow
  // Evaluate in this window, because the app's policy forbids `eval` in the app's own window.
  const call = ({ source, argument }) => {
    const names = ['window', 'document', 'location', 'history', 'performance']
    const values = names.map((name) => (name === 'window' ? inside() : inside()[name]))
    return new Function(...names, `return (${source})`)(...values)(argument)
  }
  const until = async (isTrue, timeout = 30_000) => {
    for (const end = Date.now() + timeout; !(await isTrue()); await pause(50)) {
      if (Date.now() > end) throw new Error('waited without success')
    }
  }
  const find = async (selector) => {
    await until(() => inside().document.querySelector(selector))
    return inside().document.querySelector(selector)
  }
  const events = []
  return {
    watched: () => events,
    async open({ path, first }) {
      frame.src = path
      document.body.append(frame)
      if (watches) watchFrame(frame, events)
      while (inside().location.pathname !== path) await pause(0)
      if (first) call(first)
    },
    async settle() {
      await until(() => inside().document.readyState === 'complete')
      const count = () => inside().performance.getEntriesByType('resource').length
      for (let before = -1; before !== count(); await pause(500)) before = count()
    },
    call,
    // Expect errors, because the frame may have no document between two pages.
    until: ({ timeout, ...condition }) =>
      until(() => {
        try {
          return call(condition)
        } catch {
          return false
        }
      }, timeout),
    click: async ({ selector }) => (await find(selector)).click(),
    async hover({ selector }) {
      const element = await find(selector)
      for (const type of ['pointerover', 'pointerenter', 'mouseover', 'mouseenter']) {
        const bubbles = type.endsWith('over')
        element.dispatchEvent(new (inside().PointerEvent)(type, { bubbles, pointerType: 'mouse' }))
      }
    },
    leave: ({ address }) => location.replace(address),
  }
}

/**
 * Requests a command, runs it, and reports the outcome with the next request. Runs in the outer
 * page.
 */
async function obey(port, watches) {
  const acts = createActs(watches)
  for (let outcome = null; ; ) {
    const body = JSON.stringify({ origin: location.origin, outcome })
    const response = await fetch(`http://localhost:${port}/`, { method: 'POST', body })
    const { name, ...argument } = await response.json()
    try {
      outcome = { value: (await acts[name](argument)) ?? null }
    } catch (error) {
      outcome = { error: String(error) }
    }
    if (name === 'leave') return
  }
}

function openBrowser(command, address) {
  const profile = mkdtempSync(join(tmpdir(), 'waymark-browser-'))
  const words = command.replace('{profile}', profile).replace('{webkit}', webkitFolder).split(' ')
  // Start a separate process group, so that all processes that a wrapper has started can be ended.
  const child = spawn(words[0], [...words.slice(1), address], { detached: true, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve))
  const end = () => {
    if (child.pid === undefined || child.exitCode !== null) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The browser has already exited.
    }
  }
  process.once('exit', end)
  return {
    async close() {
      end()
      process.removeListener('exit', end)
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}
