import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startApp } from '../harness/app.ts'
import { type AppFiles, buildApp } from '../harness/appFolder.ts'
import { freePort } from '../harness/freePort.ts'
import { fixtureMap } from './appMap.ts'
import { generateApp } from './generated/generateApp.ts'
import { createTarget, metricsToken, type Target, type TargetOptions } from './target.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const kinds = ['core', 'core', 'next', 'next'] as const

/** The apps among which requests are distributed: the fixture `adversary` and generated apps. */
export const appCount = 1 + kinds.length

// Set a low limit, so that V8 collects garbage early. Otherwise, a leak looks the same as
// uncollected garbage.
const env = { NODE_OPTIONS: '--max-old-space-size=150', WAYMARK_METRICS_TOKEN: metricsToken }

/** Number of requests after which new apps are generated. */
export const requestsPerGeneration = 500_000

/** An app under attack. */
export type ServedApp = { readonly target: Target; end(): Promise<void> }

/**
 * Builds and serves one of the apps.
 * @param generation number of the generation; each generation has different apps
 */
export async function startServedApp(
  seed: number,
  generation: number,
  at: number,
): Promise<ServedApp> {
  const port = await freePort()
  const kind = kinds[at - 1]
  if (kind === undefined) {
    const target = await serve({ app: 'adversary', env }, { map: fixtureMap, port })
    return { target, end: () => target.end() }
  }
  const upstream = kind === 'next' ? await startUpstream() : null
  const ports = upstream?.ports ?? { whole: 1, strict: 2 }
  const { files, map } = generateApp(seed, kind, generation * kinds.length + at - 1, ports)
  const options = { map, port, ...(upstream ? { upstream } : {}) }
  const target = await serve({ app: 'generated', files, env }, options)
  return { target, end: () => endServedApp(target, upstream) }
}

/** Builds an app, and empties the app's journal, so that findings of an earlier run don't count. */
async function serve(
  app: AppFiles,
  options: Omit<TargetOptions, 'root' | 'start'>,
): Promise<Target> {
  const root = await buildApp(app)
  rmSync(join(root, '.waymark/journal'), { recursive: true, force: true })
  const start = () => startApp({ ...app, mode: 'production', port: options.port })
  return createTarget({ ...options, root, start })
}

async function endServedApp(target: Target, upstream: Upstream | null): Promise<void> {
  await target.end()
  upstream?.stop()
}
