import { startApp } from '../harness/app.ts'
import { freePort } from '../harness/freePort.ts'
import { fixtureMap } from './appMap.ts'
import { generateApp } from './generated/generateApp.ts'
import { createTarget, type Target } from './target.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const kinds = ['core', 'core', 'next', 'next'] as const

/** The apps that requests are dealt to in turn: the fixture by hand, and generated ones. */
export const appCount = 1 + kinds.length

// With more room, V8 leaves garbage in it for so long that it can't be told from what is kept.
const env = { NODE_OPTIONS: '--max-old-space-size=150' }

/** After so many requests, other apps are generated. */
export const requestsPerGeneration = 500_000

/** An app under attack. */
export type ServedApp = { readonly target: Target; end(): Promise<void> }

/**
 * Builds and serves one of the apps.
 * @param generation of apps: each has others
 */
export async function startServedApp(
  seed: number,
  generation: number,
  at: number,
): Promise<ServedApp> {
  const port = await freePort()
  const kind = kinds[at - 1]
  if (kind === undefined) {
    const start = () => startApp({ app: 'adversary', mode: 'production', port, env })
    const target = await createTarget({ map: fixtureMap, port, start })
    return { target, end: () => target.end() }
  }
  const upstream = kind === 'next' ? await startUpstream() : null
  const ports = upstream?.ports ?? { whole: 1, strict: 2 }
  const { files, map } = generateApp(seed, kind, generation * kinds.length + at - 1, ports)
  const start = () => startApp({ app: 'generated', files, mode: 'production', port, env })
  const target = await createTarget({ map, port, start, ...(upstream ? { upstream } : {}) })
  return { target, end: () => endServedApp(target, upstream) }
}

async function endServedApp(target: Target, upstream: Upstream | null): Promise<void> {
  await target.end()
  upstream?.stop()
}
