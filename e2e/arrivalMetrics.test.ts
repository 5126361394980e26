import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { dashboardQueries } from '../scripts/dashboard.ts'
import { type App, startApp } from './harness/app.ts'
import { counted } from './harness/arrivals/tab.ts'
import { freePort } from './harness/freePort.ts'
import { openPage } from './harness/page.ts'
import { heading } from './harness/visit.ts'

const token = 'the-token-of-a-scraper'
const files = {
  'vite.config.ts': `import { arrivals } from '@waymark/arrivals/vite'
import { operations } from '@waymark/operations/vite'
import { waymark } from 'waymark/vite'

export default { plugins: [waymark(), arrivals(), operations()] }
`,
  'instrumentation.ts': `import { metrics } from '@opentelemetry/api'
import {
  ConsoleMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'

export function register() {
  const exporter = new ConsoleMetricExporter()
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: 1000,
    exportTimeoutMillis: 900,
  })
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
}
`,
}

const options = {
  app: 'navigation',
  files,
  mode: 'production',
  env: { WAYMARK_METRICS_TOKEN: token },
} as const

describe('arrivals of a server, as metrics', () => {
  let app: App
  beforeAll(async () => {
    app = await startApp(options)
  })
  afterAll(async () => await app?.stop())

  async function scrape(): Promise<string> {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${app.origin}/_waymark/metrics`, { headers })).text()
  }

  const loads = async () =>
    (await scrape())
      .split('\n')
      .filter((line) => line.startsWith('waymark_arrivals_total'))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)

  /** Opens two pages and leaves, which counts as two loads. */
  async function visitTwo(): Promise<void> {
    const before = await loads()
    const { page } = await openPage(app)
    await page.goto('/')
    await counted(page)
    await page.getByRole('link', { name: 'Alpha', exact: true }).click()
    await heading(page, 'Alpha').waitFor()
    await page.close()
    await expect.poll(loads).toBe(before + 2)
  }

  /** Sends a beacon about a load that reached its page after a notice. */
  async function reportNotice(): Promise<void> {
    const load = {
      route: '/a',
      kind: 'push',
      outcome: 'notice',
      end: 'arrived',
      ms: 9,
      attempts: 2,
    }
    const { status } = await fetch(`${app.origin}/_waymark/arrivals`, {
      method: 'POST',
      headers: { origin: app.origin },
      body: JSON.stringify({ build: null, loads: [load], vitals: [] }),
    })
    expect(status).toBe(204)
  }

  test('a scraper gets them by route, kind, outcome, arrival and build', async () => {
    await visitTwo()
    const text = await scrape()
    expect(text).toMatch(
      /waymark_arrivals_total\{route="\/",kind="document",outcome="page",arrived="true",build="[\w-]+"\} 1\n/,
    )
    expect(text).toMatch(
      /\{route="\/a",kind="push",outcome="page",arrived="true",build="[\w-]+"\} 1\n/,
    )
    expect(text).toContain('waymark_arrival_seconds_count{route="/a"} 1\n')
    expect(text).toContain('waymark_requests_running')
  })

  test("the meter of an app's OpenTelemetry has the same numbers", async () => {
    await expect.poll(app.logs).toContain('waymark.arrival.duration')
    expect(app.logs()).toMatch(/route: '\/a',\s+kind: 'push',\s+outcome: 'page'/)
  })

  const { error } = spawnSync('prometheus', ['--version'])
  test.skipIf(error)(
    'Prometheus has data for each query of the dashboard (needs prometheus in PATH)',
    { timeout: 180_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'waymark-prometheus-'))
      const prometheus = await startPrometheus(folder, app.port)
      try {
        await expect.poll(() => prometheus.query('up == 1'), { timeout: 60_000 }).toBe(1)
        await visitTwo()
        await reportNotice()
        await new Promise((resolve) => setTimeout(resolve, 2500))
        await visitTwo()
        await reportNotice()
        for (const query of dashboardQueries('app')) {
          await expect
            .poll(() => prometheus.query(query), { timeout: 20_000, message: query })
            .toBeGreaterThan(0)
        }
        await expect
          .poll(() =>
            prometheus.value('sum(increase(waymark_arrivals_total{outcome="notice"}[1m]))'),
          )
          .toBeGreaterThan(0)
        // Every load so far has arrived, some of them after a notice.
        expect(await prometheus.value(dashboardQueries('app')[0] ?? '')).toBeCloseTo(1)
      } finally {
        prometheus.process.kill()
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )
})

/** Starts Prometheus with the configuration in `deploy/`, changed to scrape every second. */
async function startPrometheus(folder: string, appPort: number) {
  const file = new URL('../deploy/prometheus/prometheus.yml', import.meta.url)
  const config = parse(readFileSync(file, 'utf8'))
  const [job] = config.scrape_configs
  config.global.scrape_interval = '1s'
  job.authorization.credentials_file = join(folder, 'token')
  job.static_configs[0].targets = [`localhost:${appPort}`]
  writeFileSync(join(folder, 'token'), token)
  writeFileSync(join(folder, 'prometheus.yml'), stringify(config))
  const port = await freePort()
  const process: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  /** Returns the values of a query's series. The list is empty while Prometheus starts. */
  async function valuesOf(query: string): Promise<number[]> {
    const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`
    const response = await fetch(url).catch(() => null)
    if (!response || response.status === 503) return []
    const { data, error } = await response.json()
    if (error) throw new Error(`${query}: ${error}`)
    const results = data.result as readonly { readonly value: readonly [number, string] }[]
    return results.map(({ value: [, text] }) => Number(text)).filter(Number.isFinite)
  }

  return {
    process,
    /** Returns the number of series of a query. */
    query: async (query: string) => (await valuesOf(query)).length,
    /** Returns the value of a query's first series. */
    value: async (query: string) => (await valuesOf(query))[0],
  }
}
