/**
 * Traces edits of a server file, from the write to the paint of the change in a browser: the message
 * of the dev server, the request for page data, its headers, the change of the document, the paint.
 * Also measures the processor time of the server, which is steadier than time on a busy machine.
 *
 *   node edit-trace.mjs [--framework SvelteKit] [--edits 30]
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { countedOnce, launchBrowser } from './lib/browser.mjs'
import { describeMachine, printTable } from './lib/report.mjs'
import { startServer } from './lib/server.mjs'
import { frameworks, installApp } from './peers/frameworks.mjs'

const { values: options } = parseArgs({
  options: {
    framework: { type: 'string', default: 'Waymark' },
    edits: { type: 'string', default: '30' },
  },
})
const pauseMs = 300
const framework = frameworks.find(({ name }) => name === options.framework)
if (!framework) throw new Error(`No framework is called ${options.framework}.`)
const { cwd, dev, env } = framework
const file = `${cwd}shared/greeting.ts`

console.log(describeMachine())
installApp(framework)
const browser = await launchBrowser()
const server = await startServer({
  args: dev,
  cwd,
  env: { ...env, NODE_ENV: 'development' },
  cores: '0-1',
  path: '/start',
  timeoutMs: 60_000,
})
const page = await browser.newPage()
await page.addInitScript(recordSteps)
await page.goto(`${server.url}/start`)
await page.waitForFunction(countedOnce, null, { polling: 50 })
await page.waitForLoadState('networkidle')
// The server finds dependencies and writes its caches after the page has loaded.
await sleep(3000)
const edits = []
for (let n = 1; n <= Number(options.edits); n++) edits.push(await edit(`server-${1000 + n}`))
await browser.close()
await server.stop()

const steps = [...new Set(edits.flatMap((each) => Object.keys(each)))]
const rows = steps.map((step) => {
  const values = edits.flatMap((each) => each[step] ?? []).sort((one, other) => one - other)
  const at = (share) => Math.round(values[Math.floor(share * (values.length - 1))])
  return { step, edits: values.length, least: at(0), middle: at(0.5), most: at(1) }
})
printTable(
  [
    ['step', 'step'],
    ['edits', 'edits'],
    ['least ms', 'least'],
    ['median ms', 'middle'],
    ['most ms', 'most'],
  ],
  rows,
)

/** @returns milliseconds from the write until each step, and the server's processor time */
async function edit(greeting) {
  await sleep(pauseMs)
  const painted = page.evaluate(waitForText, greeting)
  const text = readFileSync(file, 'utf8').replace(/server-\d+/, greeting)
  // Let the browser observe the document before the file changes.
  await sleep(20)
  const cpuBeforeMs = cpuMs(server.pid)
  const writtenAtMs = Date.now()
  writeFileSync(file, text)
  const recorded = await painted
  const cpu = cpuMs(server.pid) - cpuBeforeMs
  const times = recorded.map(([step, atMs]) => [step, atMs - writtenAtMs])
  return { ...Object.fromEntries(times), 'processor time of the server': cpu }
}

/** Processor time of all threads. `/proc/PID/stat` counts steps of 10 ms, which is too coarse here. */
function cpuMs(pid) {
  const folder = `/proc/${pid}/task`
  const nanoseconds = readdirSync(folder).map((thread) => {
    try {
      return Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ', 1)[0])
    } catch {
      // The thread has ended since the folder was read.
      return 0
    }
  })
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}

/** Records messages of the dev server and requests of the page. Runs in the page, before its scripts. */
function recordSteps() {
  window.steps = []
  window.recordStep = (step) => {
    window.steps.push([step, performance.timeOrigin + performance.now()])
  }
  window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args)
      this.addEventListener('message', ({ data }) => {
        window.recordStep(`message ${/"event":"([^"]+)/.exec(data)?.[1] ?? String(data).slice(0, 30)}`)
      })
    }
  }
  const { fetch } = window
  window.fetch = async (...args) => {
    window.recordStep('request')
    const response = await fetch(...args)
    window.recordStep('headers of the response')
    return response
  }
}

/** Returns the steps of an edit once its text is painted. Runs in the page. */
function waitForText(text) {
  window.steps = []
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('main').textContent.includes(text)) return
      observer.disconnect()
      window.recordStep('change of the document')
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          window.recordStep('paint')
          resolve(window.steps)
        }
        port2.postMessage(null)
      })
    })
    observer.observe(document, { subtree: true, childList: true, characterData: true })
  })
}
