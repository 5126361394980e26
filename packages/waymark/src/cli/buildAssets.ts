import { existsSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AssetsManifest, type BuildManifest, buildLayout } from '../builds/buildManifest.ts'
import { type AssetStore, createAssetStore, type SharedBuild } from '../cache/assetStore.ts'
import type { CacheDriver } from '../cache/cacheDriver.ts'
import { withStoreDeadlines } from '../cache/storeDeadlines.ts'
import { isAssetName } from '../node/static/sharedAssets.ts'
import { frameworkError } from '../shared/errors.ts'
import { timedOut, withDeadline } from '../shared/promises.ts'
import { assetsPrefix } from '../wire/protocol.ts'
import type { Terminal } from './terminal.ts'

export type StoreAssetsOptions = {
  readonly driver: CacheDriver
  /** Folder of the build. */
  readonly folder: string
  readonly manifest: BuildManifest
  readonly log: (line: string) => void
}

const publishWithinMs = 10_000

/**
 * Milliseconds after which assets are stored again. Entries expire, and the store may have been
 * emptied.
 */
const renewEveryMs = 60_000

/**
 * Stores a build's assets in the shared cache. Resolves once they are stored, after which this
 * build's pages may request them from any server.
 */
export async function storeAssets(options: StoreAssetsOptions): Promise<AssetStore> {
  const { driver, folder, manifest, log } = options
  const store = createAssetStore(withStoreDeadlines(driver, log))
  const files = listAssets(folder)
  let isStored: boolean | null = null

  async function publish(): Promise<void> {
    const done = await store.publish({ buildId: manifest.buildId, files }).catch(() => false)
    if (!done && isStored !== false) log(`${notStored} Trying again within a minute.`)
    isStored = done
  }

  if ((await withDeadline(publish(), publishWithinMs)) === timedOut) log(notStored)
  setInterval(() => void publish().catch(() => log(notStored)), renewEveryMs).unref()
  return store
}

const notStored =
  "The assets of this build couldn't be stored in the cache, so servers that run other builds can't send them."

// Variables that suggest several servers: Kubernetes replaces servers one by one, and several
// servers need the same secret.
const fleetVariables = ['KUBERNETES_SERVICE_HOST', 'WAYMARK_SECRET']

/** @returns a variable that suggests several servers */
export function findFleetVariable(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return fleetVariables.find((name) => env[name]?.trim())
}

/**
 * Warns about rolling deploys before they fail. If a page of one build requests its scripts from a
 * different build's server, it isn't hydrated. Prints nothing without a sign of several servers.
 */
export function warnOfAssets(
  sharedIn: 'folder' | 'cache' | null,
  terminal: Pick<Terminal, 'print'>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): void {
  const variable = findFleetVariable(env)
  if (sharedIn !== null || variable === undefined) return
  terminal.print(
    `${variable} is set, so the app may run on several servers, but this server doesn't share its assets. During a deploy, a page may request scripts from a server that doesn't have them. Set WAYMARK_REDIS_URL, start with --shared-assets, or upload the assets with waymark assets push and serve them from that storage.`,
  )
}

/** Lists the current build's assets. Empty if the build has no list of assets. */
export function listAssetFiles(folder: string): readonly string[] {
  return readBuildsWithAssets(folder)?.[0]?.files ?? []
}

/** Lists the assets that only earlier builds have, whose pages may still be open. */
export function listEarlierAssets(folder: string): string[] {
  const [current, ...earlier] = readBuildsWithAssets(folder) ?? []
  const names = new Set(current?.files)
  return [...new Set(earlier.flatMap(({ files }) => files))].filter((name) => !names.has(name))
}

/**
 * Lists the assets of a build, and of earlier builds whose pages may still be open.
 *
 * @param folder folder that a build writes
 * @returns names of files below `/_waymark/assets/`, including compressed versions (`.br`, `.gz`)
 * @throws `NO_BUILD`
 */
export function listAllAssets(folder: string): string[] {
  const builds = readBuildsWithAssets(folder)
  if (!builds) throw frameworkError('NO_BUILD', { folder })
  return [...new Set(builds.flatMap(({ files }) => files))]
}

/** Reads the list of builds, newest first. `null` if there is no list. */
function readBuildsWithAssets(folder: string): AssetsManifest['builds'] | null {
  const path = join(folder, buildLayout.assets)
  if (!existsSync(path)) return null
  return (JSON.parse(readFileSync(path, 'utf8')) as AssetsManifest).builds
}

/** @returns scripts and stylesheets first, then other files, each group sorted by size */
function listAssets(folder: string): SharedBuild['files'] {
  const names = listAssetFiles(folder).filter((name) => isAssetName(name.replace(coding, '')))
  const isCode = (name: string) => /\.(?:m?js|css)$/.test(name.replace(coding, ''))
  return names
    .map((name) => {
      const path = join(folder, buildLayout.client, assetsPrefix, name)
      return { name, size: statSync(path).size, read: () => readFile(path) }
    })
    .sort((a, b) => Number(isCode(b.name)) - Number(isCode(a.name)) || a.size - b.size)
}

const coding = /\.(?:br|gz)$/
