import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testedOptions } from '@waymark/conformance/vite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHostCheck } from 'waymark/adapter'
import { root as workspace } from '../scripts/workspace/paths.mjs'
import { copyApp, waymarkCommand } from './harness/appFolder.ts'
import { startCloudflare } from './harness/cloudflarePlatform.ts'
import { runWaymark } from './harness/commandLine.ts'
import { findBun, findDeno, findWorkerd } from './harness/hostPrograms.ts'

// Runs `waymark conformance` as the author of an adapter does: with scripts that deploy the test app
// and clean up. The results are the table in the guide. To write them after a change of the cases,
// run this file with --update.

const results = join(workspace, 'site/app/guide/conformance/results')

type Host = {
  /** Program that serves the build. Default: Node. */
  readonly program?: () => string
  /** Environment of the program. */
  readonly env?: Readonly<Record<string, string>>
  /** Serves the built app in this process, for platforms that the tests emulate. */
  readonly serve?: (folder: string) => Promise<Served>
  /** Arguments of the command, in addition to the scripts. */
  readonly args?: readonly string[]
}

type Served = { readonly origin: string; end(): unknown }

const lambdaServer = fileURLToPath(new URL('./harness/lambda/serve.mjs', import.meta.url))
const vercelServer = fileURLToPath(new URL('./harness/vercel/serve.mjs', import.meta.url))

const hosts: Readonly<Record<string, Host>> = {
  node: {},
  bun: { program: findBun },
  deno: { program: findDeno },
  workerd: { program: findWorkerd },
  cloudflare: { serve: serveCloudflare },
  lambda: { env: { LAMBDA_SERVER: lambdaServer } },
  vercel: { env: { VERCEL_SERVER: vercelServer } },
  static: {},
}

async function serveCloudflare(folder: string): Promise<Served> {
  // Cloudflare passes on only requests for hosts that are routed to the worker.
  const { security } = testedOptions()
  const isRouted = createHostCheck(security?.allowedHosts ?? [])
  const { origins, end } = await startCloudflare(folder, { isRouted })
  return { origin: origins[0], end }
}

/** Runs the command. @returns the report that it wrote, and its exit code */
async function runConformance(target: string, { program, env = {}, serve, args = [] }: Host) {
  const folder = copyApp({ app: 'hosts' })
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const scripts = ['deploy', 'url', 'clean-up'].flatMap((name) => [
    `--${name}`,
    `node host.mjs ${name}`,
  ])
  const all = ['conformance', ...scripts, '--report', 'r.json', ...args]
  const running = runWaymark(all, folder, {
    TARGET: target,
    WAYMARK: waymarkCommand(),
    HOST_PROGRAM: program?.() ?? process.execPath,
    ...env,
  })
  if (serve) await serveWhenBuilt(folder, serve)
  const { exitCode, output } = await running
  return { exitCode, ...readReport(join(folder, 'r.json'), output) }
}

/** Serves the app once the script `deploy` has built it, and tells the script its URL. */
async function serveWhenBuilt(
  folder: string,
  serve: (folder: string) => Promise<Served>,
): Promise<void> {
  await expect.poll(() => existsSync(join(folder, '.built')), { timeout: 120_000 }).toBe(true)
  const { origin, end } = await serve(folder)
  onTestFinished(async () => void (await end()))
  writeFileSync(join(folder, '.host.json'), JSON.stringify({ url: origin }))
}

describe.each(Object.entries(hosts))('the host %s', (target, options) => {
  test('serves an app correctly', { timeout: 300_000 }, async () => {
    const { exitCode, host, lacks, cases } = await runConformance(target, options)
    const problems = cases.filter(({ outcome }) => outcome === 'failed' || outcome === 'skipped')
    expect(problems).toEqual([])
    expect(exitCode).toBe(0)
    const rows = cases.map(({ group, name, outcome }) => ({ group, name, outcome }))
    const text = `${JSON.stringify({ host, lacks, cases: rows }, null, 2)}\n`
    await expect(text).toMatchFileSnapshot(join(results, `${target}.json`))
  })
})

test('a host with faults is found out', { timeout: 300_000 }, async () => {
  const names = [
    'a URL without a route gets the not-found page with the status 404',
    'several Set-Cookie lines stay separate',
    'an invalidation reaches all instances',
    'a guarded page of the build is only for visitors whom proxy.ts admits',
    '/mine of one client is never sent to another',
    'an action with an idempotency key runs once, however often it is sent',
    'a page is sent before its slow part is ready',
  ]
  const only = names.flatMap((name) => ['--only', name])
  const { exitCode, cases } = await runConformance('faulty', { args: only })
  const failed = cases.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
  expect(failed).toEqual(names)
  expect(exitCode).toBe(1)
})

type Report = {
  readonly host: string
  readonly lacks: readonly string[]
  readonly cases: readonly {
    readonly group: string
    readonly name: string
    readonly outcome: string
    readonly reason?: string
  }[]
}

function readReport(file: string, output: string): Report {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new Error(`waymark conformance wrote no report:\n${output}`)
  }
}
