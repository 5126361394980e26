import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type App, startApp } from './harness/app.ts'
import { buildApp } from './harness/appFolder.ts'
import { leapPage } from './harness/arrivals/leapPage.ts'
import {
  addReports,
  createLedger,
  differenceOf,
  type PrintedReport,
} from './harness/arrivals/ledger.ts'
import { createWalker, type Walker } from './harness/arrivals/walker.ts'
import { sharedBrowser } from './harness/browser.ts'
import { runWaymark } from './harness/commandLine.ts'
import { type FaultProxy, startFaultProxy } from './harness/faults/proxy.ts'
import { freePort } from './harness/freePort.ts'

/**
 * Number of loads. Set variables for a longer or a different run: `ARRIVALS_LOADS=10000
 * ARRIVALS_SEED=2 npm run e2e -- arrivalsLedger`.
 */
const loads = Number(process.env.ARRIVALS_LOADS ?? 60)
const seed = Number(process.env.ARRIVALS_SEED ?? 1)
const walkerCount = 3

const files = {
  'vite.config.ts': `import { arrivals } from '@waymark/arrivals/vite'
import { waymark } from 'waymark/vite'

export default {
  plugins: [waymark({ navigation: { timeoutMs: 2500, unattendedMs: 1000 } }), arrivals()],
}
`,
  ...leapPage,
  'app/throws/page.tsx': `import { cookies } from 'waymark/server'

export default async function Throws() {
  await cookies()
  throw new Error('This page throws.')
}
`,
}

const app = { app: 'navigation', files, mode: 'production' } as const
const nextBuild = {
  ...app,
  files: { ...files, 'app/new/page.tsx': 'export default () => <h1>New</h1>\n' },
}

/** Creates a random number generator that returns the same numbers in each run. */
function createRandom(start: number): () => number {
  let state = start
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('the ledger of many loads', () => {
  let served: App | null = null
  const proxies: FaultProxy[] = []
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()))
    await served?.stop()
  })

  test(`matches the report after ${loads} loads, restarts and a deploy`, {
    timeout: 7_200_000,
  }, async () => {
    const roots = [await buildApp(app), await buildApp(nextBuild)]
    for (const root of roots)
      rmSync(join(root, '.waymark/journal'), { recursive: true, force: true })
    const port = await freePort()
    const ledger = createLedger()
    const browser = await sharedBrowser()
    const walkers: Walker[] = []
    served = await startApp({ ...app, port })
    for (let at = 0; at < walkerCount; at++) {
      const proxy = await startFaultProxy(served.origin)
      proxies.push(proxy)
      const context = await browser.newContext()
      const random = createRandom(seed * 1000 + at)
      walkers.push(await createWalker({ context, proxy, ledger, random }))
    }
    const walkUntil = (count: number) =>
      Promise.all(
        walkers.map(async (walker) => {
          while (ledger.loads() < count) await walker.step()
        }),
      )
    // Restart the same build first, then deploy a different build.
    for (const [at, options] of [app, nextBuild].entries()) {
      await walkUntil((loads * (at + 1)) / 3)
      await served.stop()
      served = await startApp({ ...options, port })
    }
    await walkUntil(loads)
    const beacons = () => proxies.flatMap(({ requests }) => requests).length
    await Promise.all(walkers.map((walker) => walker.end()))
    // Wait, because the browser still sends reports that its pages stored when they closed.
    let steadySinceMs = Date.now()
    for (let before = beacons(); Date.now() - steadySinceMs < 3000; before = beacons()) {
      await new Promise((go) => setTimeout(go, 100))
      if (beacons() !== before) steadySinceMs = Date.now()
    }
    await served.stop()
    served = null
    const reports: PrintedReport[] = []
    for (const root of roots) {
      reports.push(JSON.parse((await runWaymark(['arrivals', '--json'], root)).output))
    }
    expect({
      ...differenceOf(ledger.routes(), addReports(reports)),
      refused: reports.map(({ refused }) => refused),
      documents: reports.reduce((sum, { all }) => sum + all.documents.reported, 0),
    }).toEqual({ refused: [0, 0], documents: ledger.documents() })
  })
})
