import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Rollup } from 'vite'
import { chromium } from '../../../scripts/workspace/systemTools.mjs'

/** Milliseconds after which a case fails, including the start of the browser. */
const timeoutMs = 50_000

/**
 * Runs a case in a browser that can't be controlled remotely. The browser opens a page that runs
 * the case and reports the outcome.
 * @param app the app under test, whose pages have the same origin
 * @param name a key of `pageCases` or `offlineCases`
 * @throws the error of the case, or an error about the time limit if no outcome arrives in time
 */
export async function runCase(app: { readonly origin: string }, name: string): Promise<void> {
  script ??= bundle()
  const page = `<!doctype html><meta charset="utf-8"><body>${await script}`
  let report = (_outcome: string) => {}
  const outcome = new Promise<string>((resolve) => {
    report = resolve
  })
  let isAway = false
  const server = createServer(async (req, res) => {
    const path = req.url ?? '/'
    if (path.startsWith('/~case')) res.setHeader('content-type', 'text/html').end(page)
    else if (path === '/~outcome') report(await readText(req).finally(() => res.end()))
    else if (path.startsWith('/~network')) {
      isAway = path.endsWith('?off')
      res.end()
    } else if (isAway) req.socket.destroy()
    else pass(app.origin, req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const query = new URLSearchParams({ case: name })
  const browser = openBrowser(`http://localhost:${port}/~case?${query}`)
  browser.ended.then((how) => report(`The browser sent no outcome: ${how}.`))
  const timeoutMessage = `The browser sent no outcome within ${timeoutMs} ms.`
  const timer = setTimeout(() => report(timeoutMessage), timeoutMs)
  try {
    const failure = await outcome
    if (failure) throw new Error(failure)
  } finally {
    clearTimeout(timer)
    await browser.close()
    server.close()
    server.closeAllConnections()
  }
}

let script: Promise<string> | null = null

/** Bundles the script for the page that runs the cases. */
async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL('./browserEntry.ts', import.meta.url))
  const lib = { entry, formats: ['iife' as const], name: 'cases', fileName: 'cases' }
  const [{ output }] = (await build({
    logLevel: 'silent',
    configFile: false,
    build: { write: false, lib },
  })) as [Rollup.RollupOutput]
  return `<script>${output[0].code.replaceAll('</script', '<\\/script')}</script>`
}

async function readText(req: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of req) pieces.push(piece)
  return String(Buffer.concat(pieces))
}

/**
 * Forwards a request to the app. If the URL has `?changed`, replaces a word in the document as
 * translation tools do.
 */
function pass(origin: string, req: IncomingMessage, res: ServerResponse): void {
  const { method, headers, url: path = '/' } = req
  const isChanged = path.endsWith('?changed') && !path.startsWith('/_waymark/')
  const sent = isChanged ? { ...headers, 'accept-encoding': 'identity' } : headers
  const up = request(new URL(path, origin), { method, headers: sent }, async (answer) => {
    if (!isChanged) {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      return answer.pipe(res)
    }
    const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers
    const html = await readText(answer)
    res.writeHead(answer.statusCode ?? 502, headers)
    return res.end(html.replace('one of several', '<font><font>una de varias</font></font>'))
  })
  up.on('error', () => res.destroy())
  req.pipe(up)
}

/**
 * Opens a URL in the browser whose command line is in `ANY_BROWSER`, or in Chromium if the variable
 * isn't set. In the command line, `{profile}` is replaced with an empty folder.
 * @throws if Chromium is not installed
 */
function openBrowser(address: string) {
  const profile = mkdtempSync(join(tmpdir(), 'waymark-browser-'))
  const words = (process.env.ANY_BROWSER ?? chromiumCommand()).split(' ')
  const [program = '', ...args] = words.map((word) => word.replace('{profile}', profile))
  // Start a separate process group, so that all processes that a wrapper has started can be ended.
  const child = spawn(program, [...args, address], { detached: true, stdio: 'ignore' })
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? code}`))
    child.once('error', ({ message }) => resolve(message))
  })
  return {
    ended,
    async close(): Promise<void> {
      endGroup(child)
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

function chromiumCommand(): string {
  const program = chromium.find()
  if (program === null) throw new Error(chromium.hint())
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0']
  return [program, ...flags, '--user-data-dir={profile}'].join(' ')
}

function endGroup({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The browser has already ended.
  }
}
