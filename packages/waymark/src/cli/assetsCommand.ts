import { existsSync, readFileSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type AssetStore, createAssetStore, type SharedBuild } from '../cache/assetStore.ts'
import type { CacheDriver } from '../cache/cacheDriver.ts'
import { withStoreDeadlines } from '../cache/storeDeadlines.ts'
import { createPackageLoader } from '../node/appPackages.ts'
import { loadEnvFiles } from '../node/env.ts'
import { contentTypeOf } from '../node/static/mediaTypes.ts'
import { copyWhole, isAssetName } from '../node/static/sharedAssets.ts'
import { type AssetsManifest, type BuildManifest, buildLayout } from '../shared/buildManifest.ts'
import { fileCacheControl } from '../shared/cacheControl.ts'
import { frameworkError } from '../shared/errors.ts'
import { timedOut, withDeadline } from '../shared/promises.ts'
import { assetsPrefix } from '../shared/protocol.ts'
import type { Command } from './arguments.ts'
import type { Terminal } from './terminal.ts'

/** Copies a build's assets to a folder or bucket from which another host serves them. */
export const assets: Command = async ({ options, terminal }) => {
  const { destination, folder = '.', mode = 'production', json, 'dry-run': isDry = false } = options
  if (destination === undefined) {
    terminal.fail(
      'The place for the assets is missing.',
      'Write: waymark assets push /srv/assets, or waymark assets push s3://bucket',
    )
    return 2
  }
  const root = resolve(folder)
  const buildDir = join(root, buildLayout.folder)
  loadEnvFiles(root, mode, process.env)
  const target = await openTarget(destination, root)
  const { pushed, present } = await pushAssets(target, {
    destination,
    folder: join(buildDir, buildLayout.client, assetsPrefix),
    names: readNames(buildDir),
    isDry,
  })
  if (json) terminal.printJson({ dryRun: isDry, pushed, present })
  else {
    terminal.print(`${isDry ? 'To push' : 'Pushed'}: ${shown(pushed)}`)
    terminal.print(`There before: ${shown(present)}`)
  }
  return 0
}

/** Where a file server or a CDN finds the assets. */
export type AssetTarget = {
  /** True for a file server; a CDN compresses files itself. */
  readonly takesCompressed: boolean
  /** A name contains a content hash, so that an equal size means an equal file. */
  readonly has: (key: string, size: number) => Promise<boolean>
  readonly put: (asset: Asset) => Promise<void>
}

type Asset = {
  /** Pathname of its URL, without the first slash. */
  readonly key: string
  /** Absolute. */
  readonly file: string
  readonly contentType: string
  readonly cacheControl: string
}

async function openTarget(destination: string, root: string): Promise<AssetTarget> {
  if (!/^\w+:\/\//.test(destination)) return folderTarget(destination)
  if (!destination.startsWith('s3://')) throw frameworkError('ASSETS_TARGET', { destination })
  const load = createPackageLoader(root)
  const loaded = await load('@waymark/s3/internal/assets', 'waymark assets push s3://…')
  const { bucketTarget } = loaded as {
    bucketTarget: (url: string, env: NodeJS.ProcessEnv) => AssetTarget
  }
  return bucketTarget(destination, process.env)
}

export function folderTarget(folder: string): AssetTarget {
  const pathOf = (key: string) => join(resolve(folder), key)
  return {
    takesCompressed: true,
    // A missing file has no size.
    has: async (key, size) => (await stat(pathOf(key)).catch(() => null))?.size === size,
    put: async ({ key, file }) => copyWhole(file, pathOf(key)),
  }
}

/** @returns also names of earlier builds, whose pages may still be open */
function readNames(buildDir: string): string[] {
  const builds = readBuildsWithAssets(buildDir)
  if (!builds) throw frameworkError('NO_BUILD', { folder: buildDir })
  return [...new Set(builds.flatMap(({ files }) => files))]
}

const concurrency = 8

type PushOptions = {
  /** As it was written, for errors. */
  readonly destination: string
  /** Folder of the assets. */
  readonly folder: string
  readonly names: readonly string[]
  /** Only counts. */
  readonly isDry: boolean
}

type Counts = { readonly count: number; readonly bytes: number }

/** Copies missing assets and deletes none. */
export async function pushAssets(
  target: AssetTarget,
  { destination, folder, names, isDry }: PushOptions,
): Promise<{ readonly pushed: Counts; readonly present: Counts }> {
  const pushed = { count: 0, bytes: 0 }
  const present = { count: 0, bytes: 0 }
  const left = names.filter((name) => target.takesCompressed || !/\.(?:br|gz)$/.test(name))
  const push = async (name: string) => {
    const key = assetsPrefix.slice(1) + name
    const file = join(folder, name)
    const { size } = await stat(file)
    const counts = (await target.has(key, size)) ? present : pushed
    if (counts === pushed && !isDry) {
      const cacheControl = fileCacheControl(`/${key}`)
      await target.put({ key, file, contentType: contentTypeOf(name), cacheControl })
    }
    counts.count++
    counts.bytes += size
  }
  const work = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      try {
        await push(name)
      } catch (error) {
        const reason = (error as Error).message
        throw frameworkError('ASSETS_PUSH', { name, target: destination, reason })
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return { pushed, present }
}

function shown({ count, bytes }: Counts): string {
  return `${count} ${count === 1 ? 'file' : 'files'}, ${(bytes / 1000).toFixed(1)} kB`
}

export type StoreAssetsOptions = {
  readonly driver: CacheDriver
  /** Of the build. */
  readonly folder: string
  readonly manifest: BuildManifest
  readonly log: (line: string) => void
}

const publishWithinMs = 10_000

/** The store may have been emptied, and entries expire. */
const renewEveryMs = 60_000

/**
 * Keeps a build's assets in the shared cache. Resolves once they are stored, because pages of this
 * build may then request them from any server.
 */
export async function storeAssets(options: StoreAssetsOptions): Promise<AssetStore> {
  const { driver, folder, manifest, log } = options
  const store = createAssetStore(withStoreDeadlines(driver, log))
  const files = listAssets(folder)
  let isStored: boolean | null = null

  async function publish(): Promise<void> {
    const done = await store.publish({ buildId: manifest.buildId, files }).catch(() => false)
    if (!done && isStored !== false) log(`${notStored} They are sent again within a minute.`)
    isStored = done
  }

  if ((await withDeadline(publish(), publishWithinMs)) === timedOut) log(notStored)
  setInterval(() => void publish().catch(() => log(notStored)), renewEveryMs).unref()
  return store
}

const notStored =
  'The assets of this build could not be stored in the cache: servers of other builds lack them.'

// Kubernetes replaces servers one by one; and several servers need one secret.
const fleetVariables = ['KUBERNETES_SERVICE_HOST', 'WAYMARK_SECRET']

/**
 * Warns of rolling deploys before they fail: a page of one build asks a server of another for its
 * scripts, and is not hydrated. Silent when nothing says that there are other servers.
 */
export function warnOfAssets(
  sharedIn: 'folder' | 'cache' | null,
  terminal: Pick<Terminal, 'print'>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): void {
  const found = fleetVariables.find((name) => env[name]?.trim())
  if (sharedIn !== null || found === undefined) return
  terminal.print(
    `${found} is set, so other servers may run, and this one shares assets with none: while a new build is deployed, a page may ask a server that lacks its scripts. Set WAYMARK_REDIS_URL, or start with --shared-assets, or run waymark assets push and serve them from there.`,
  )
}

/** Empty for a build without a list. */
export function listOwnAssets(folder: string): readonly string[] {
  return readBuildsWithAssets(folder)?.[0]?.files ?? []
}

/** Newest first; `null` without a list. */
export function readBuildsWithAssets(folder: string): AssetsManifest['builds'] | null {
  const path = join(folder, buildLayout.assets)
  if (!existsSync(path)) return null
  return (JSON.parse(readFileSync(path, 'utf8')) as AssetsManifest).builds
}

/** @returns code first, then other files by size */
function listAssets(folder: string): SharedBuild['files'] {
  const names = listOwnAssets(folder).filter((name) => isAssetName(name.replace(coding, '')))
  const isCode = (name: string) => /\.(?:m?js|css)$/.test(name.replace(coding, ''))
  return names
    .map((name) => {
      const path = join(folder, buildLayout.client, assetsPrefix, name)
      return { name, size: statSync(path).size, read: () => readFile(path) }
    })
    .sort((a, b) => Number(isCode(b.name)) - Number(isCode(a.name)) || a.size - b.size)
}

const coding = /\.(?:br|gz)$/
