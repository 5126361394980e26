import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Adapter, AppBuild, BuildContents } from 'waymark/adapter'
import { bundleWorker, compatibilityDate, environmentNames } from './bundleWorker.ts'
import { type AssetPlan, planAssets } from './planAssets.ts'

/** Options of `cloudflare()`. */
export type CloudflareOptions = {
  /** Name of the worker. Default: the name in `package.json`. */
  readonly name?: string
  /**
   * Id of the KV namespace for cached pages. By default, Cloudflare's tools create a namespace for
   * the worker at the first deployment.
   */
  readonly kvNamespaceId?: string
  /** Variables with values that aren't secret. They are part of the deployed configuration. */
  readonly vars?: Readonly<Record<string, string>>
  /** Hostnames at which the worker serves the app, such as `www.example.com`. */
  readonly domains?: readonly string[]
  /**
   * Longest time until an invalidation takes effect in all isolates, in milliseconds. With 0, each
   * request asks the Durable Object first. Default: 1,000.
   */
  readonly invalidationDelayMs?: number
}

/**
 * Adapter for Cloudflare Workers. Writes the app as Cloudflare's Build Output, version 1, to
 * `.cloudflare/output/v1`.
 */
export function cloudflare(options: CloudflareOptions = {}): Adapter {
  return {
    name: 'Cloudflare',
    // Cloudflare compresses responses by itself, so the worker sends plain ones.
    lacks: ['ranges', 'compression', 'sockets', 'images'],
    async write(build) {
      const output = path.join(build.root, '.cloudflare/output')
      // Readers refuse a folder with several versions of the format, so remove all of them.
      await rm(output, { recursive: true, force: true })
      const folder = path.join(output, 'v1/workers/default')
      const plan = planAssets(build.contents(), build.basePath)
      await writeAssets(plan, build, path.join(folder, 'assets'))
      const modules = await bundleWorker(build, {
        code: workerCode(build, plan.contents, options),
        root: path.dirname(workerFile),
        outDir: path.join(folder, 'bundle'),
      })
      const name = workerName(options.name ?? (await readPackageName(build.root)))
      const { envNames } = build
      const config = workerConfig({ ...options, name, modules, envNames, plan })
      await writeJson(path.join(folder, 'worker.config.json'), config)
      await writeJson(path.join(output, 'v1/config.json'), {
        producer: { name: '@waymark/cloudflare', version: await readOwnVersion() },
        buildContext: { isPreview: false },
      })
      return { serve: { command: 'npx cf deploy --prebuilt' }, notes: notesOf(plan) }
    },
  }
}

const workerFile = fileURLToPath(new URL('./worker.js', import.meta.url))

/** Returns the code of the worker's entry. */
function workerCode(
  { server, stores }: AppBuild,
  contents: BuildContents,
  { invalidationDelayMs }: CloudflareOptions,
): string {
  return `import * as server from ${JSON.stringify(server)}
import { createCloudflareWorker } from ${JSON.stringify(workerFile)}
${stores ? `import { stores } from ${JSON.stringify(stores)}` : 'const stores = {}'}
export { WaymarkState } from ${JSON.stringify(workerFile)}
const contents = JSON.parse(${JSON.stringify(JSON.stringify(contents))})
const invalidationDelayMs = ${invalidationDelayMs}
export default createCloudflareWorker({ server, contents, stores, invalidationDelayMs })
`
}

// Largest asset that Cloudflare stores, in bytes.
const maxAssetBytes = 25 * 2 ** 20

async function writeAssets(
  { copies, headers }: AssetPlan,
  { buildDir }: AppBuild,
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { from, to } of copies) {
    const source = path.join(buildDir, from)
    const { size } = await stat(source)
    if (size > maxAssetBytes) {
      const megabytes = (size / 2 ** 20).toFixed(1)
      throw new Error(
        `${from} in the build has ${megabytes} MB, but Cloudflare stores no file above 25 MB. Serve it from a bucket, such as R2.`,
      )
    }
    const target = path.join(folder, to)
    await mkdir(path.dirname(target), { recursive: true })
    await copyFile(source, target)
  }
  await writeFile(path.join(folder, '_headers'), headers)
}

/** Facts about a worker that its configuration needs. */
export type WorkerFacts = CloudflareOptions & {
  readonly name: string
  /** Paths of the modules, with the entry first. */
  readonly modules: readonly string[]
  readonly envNames: readonly string[]
  readonly plan: Pick<AssetPlan, 'runWorkerFirst'>
}

// Name of the Durable Object's class. Cloudflare finds the data by this name, so it must not change.
const stateClass = 'WaymarkState'

/** Returns the content of `worker.config.json`. */
export function workerConfig(facts: WorkerFacts) {
  const { name, modules, envNames, plan, vars = {}, domains, kvNamespaceId } = facts
  const [mainModule = ''] = modules
  const secrets = environmentNames(envNames).filter((each) => !Object.hasOwn(vars, each))
  return {
    name,
    compatibilityDate,
    ...(domains && { domains }),
    assets: {
      htmlHandling: 'none',
      notFoundHandling: 'none',
      runWorkerFirst: plan.runWorkerFirst,
    },
    // Without it, errors would be in no log.
    observability: { enabled: true },
    env: {
      ASSETS: { type: 'assets' },
      waymarkCache: { type: 'kv', ...(kvNamespaceId !== undefined && { id: kvNamespaceId }) },
      waymarkState: { type: 'durable-object', worker: name, exportName: stateClass },
      ...Object.fromEntries(secrets.map((each) => [each, { type: 'secret' }])),
      ...Object.fromEntries(
        Object.entries(vars).map(([each, value]) => [each, { type: 'text', value }]),
      ),
    },
    exports: { [stateClass]: { type: 'durable-object', storage: 'sqlite' } },
    manifest: {
      type: 'complete',
      mainModule,
      modules: Object.fromEntries(
        modules.map((each) => [each, { type: each.endsWith('.wasm') ? 'wasm' : 'esm' }]),
      ),
    },
  }
}

/** Turns a package's name into a name that Cloudflare accepts: lower-case letters, digits, dashes. */
export function workerName(name: string): string {
  const dashed = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return dashed.slice(0, 54).replaceAll(/^-|-$/g, '') || 'waymark-app'
}

function notesOf({ withoutRule }: AssetPlan): string[] {
  if (withoutRule === 0) return []
  return [
    `${withoutRule} files in public/ are sent by the worker, because Cloudflare accepts only 100 rules for files. Import them, so that they become hashed assets.`,
  ]
}

async function readPackageName(root: string): Promise<string> {
  const { name } = await readJson(path.join(root, 'package.json'))
  return typeof name === 'string' ? name : ''
}

async function readOwnVersion(): Promise<string> {
  const file = fileURLToPath(new URL('../package.json', import.meta.url))
  return String((await readJson(file)).version)
}

async function readJson(file: string): Promise<Readonly<Record<string, unknown>>> {
  // An app may have no package.json, for example in a monorepo.
  const text = await readFile(file, 'utf8').catch(() => '{}')
  return JSON.parse(text)
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`)
}
