import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type AssetsManifest, buildLayout } from '../../builds/buildManifest.ts'
import { filesBelow } from '../../node/static/manifest.ts'
import { frameworkError } from '../../shared/errors.ts'
import { assetsPrefix } from '../../wire/protocol.ts'

const aside = 'previous'
const pidFile = 'pid'

// Parts of a build. `facts` is written last, so a build that has `facts` is complete.
const { serverEntry, client, pages, prerendered, runtime, program, facts } = buildLayout
const server = [path.dirname(serverEntry), 'ssr', runtime, program]
const parts = [...server, client, pages, prerendered, facts]

/**
 * Moves a complete build aside until the next one is complete. After a failed build there is
 * nothing to move, and the last complete build stays aside, because its assets are still needed.
 *
 * @see docs/decisions/builds.md
 */
export function setBuildAside(buildDir: string): void {
  restoreBuild(buildDir)
  if (!existsSync(path.join(buildDir, facts))) return
  const folder = path.join(buildDir, aside)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, pidFile), String(process.pid))
  for (const part of parts.toReversed()) move(part, buildDir, folder)
}

/**
 * Restores the previous build if a later build was stopped, unless the later build is still running.
 */
export function restoreBuild(buildDir: string): void {
  const folder = path.join(buildDir, aside)
  if (!existsSync(path.join(folder, facts)) || isOtherRunning(folder)) return
  const isWanted = !existsSync(path.join(buildDir, facts))
  for (const part of isWanted ? parts : []) {
    if (!existsSync(path.join(folder, part))) continue
    rmSync(path.join(buildDir, part), { recursive: true, force: true })
    move(part, folder, buildDir)
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Deletes the previous build once a new build is complete. */
export function dropPreviousBuild(buildDir: string): void {
  rmSync(previousPath(buildDir, facts), { force: true })
  if (existsSync(path.join(buildDir, facts))) {
    rmSync(path.join(buildDir, aside), { recursive: true, force: true })
  }
}

export function previousPath(buildDir: string, file: string): string {
  return path.join(buildDir, aside, file)
}

function move(part: string, from: string, to: string): void {
  if (existsSync(path.join(from, part))) renameSync(path.join(from, part), path.join(to, part))
}

function isOtherRunning(folder: string): boolean {
  try {
    const pid = Number(readFileSync(path.join(folder, pidFile), 'utf8'))
    return pid > 0 && pid !== process.pid && process.kill(pid, 0)
  } catch {
    return false
  }
}

export type KeepAssetsOptions = {
  readonly buildDir: string
  readonly buildId: string
  readonly keepBuilds: number
  /** Folder of a different build, such as the deployed build, or the folder of that build's app. */
  readonly assetsFrom: string | null
}

type AssetSource = { readonly folder: string; readonly builds: AssetsManifest['builds'] }

/**
 * Copies the assets of the latest builds, because their pages may still be open in browsers.
 *
 * @throws `ASSETS_FROM`
 */
export async function keepAssets(options: KeepAssetsOptions): Promise<void> {
  const { buildDir, buildId, keepBuilds, assetsFrom } = options
  const target = path.join(buildDir, assetsFolder)
  const current = { buildId, files: await filesBelow(target) }
  const sources: AssetSource[] = assetsFrom === null ? [] : [await findAssets(assetsFrom)]
  const previous = (await readManifest(buildDir))?.builds ?? []
  sources.push({ folder: previousPath(buildDir, assetsFolder), builds: previous })
  const ids = new Set([buildId])
  const others = sources
    .flatMap(({ builds }) => builds)
    .filter((build) => !ids.has(build.buildId) && ids.add(build.buildId))
  const builds = [current, ...others].slice(0, keepBuilds)
  const there = new Set(current.files)
  const missing = builds.flatMap(({ files }) => files).filter((name) => !there.has(name))
  for (const name of new Set(missing)) await copyAsset(name, sources, target)
  const file = path.join(buildDir, buildLayout.assets)
  await writeFile(`${file}.new`, `${JSON.stringify({ version: 1, builds }, null, 1)}\n`)
  await rename(`${file}.new`, file)
}

async function findAssets(folder: string): Promise<AssetSource> {
  for (const each of [path.join(folder, buildLayout.folder), folder]) {
    const manifest = await readManifest(each)
    if (manifest) return { folder: path.join(each, assetsFolder), builds: manifest.builds }
  }
  throw frameworkError('ASSETS_FROM', { folder })
}

async function readManifest(buildDir: string): Promise<AssetsManifest | null> {
  try {
    const text = await readFile(path.join(buildDir, buildLayout.assets), 'utf8')
    const manifest = JSON.parse(text) as AssetsManifest
    return manifest.version === 1 ? manifest : null
  } catch {
    return null
  }
}

async function copyAsset(name: string, from: readonly AssetSource[], to: string): Promise<void> {
  const file = path.join(to, name)
  await mkdir(path.dirname(file), { recursive: true })
  for (const { folder } of from) {
    try {
      return await copyFile(path.join(folder, name), file)
    } catch (error) {
      // An earlier build's asset may be missing. The new build works without it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

const assetsFolder = path.join(buildLayout.client, assetsPrefix)

// Number of builds whose source maps are kept, for errors from before a deploy and from tabs that
// are still open.
const maxMappedBuilds = 5

/**
 * Moves source maps, which are never served, to the folder where `waymark errors` looks for them.
 */
export async function keepSourceMaps(buildDir: string, buildId: string): Promise<void> {
  const mapsDir = path.join(buildDir, buildLayout.maps)
  await rm(path.join(mapsDir, buildId), { recursive: true, force: true })
  // Move only the build's own source maps. Those in the app's `public` folder belong to the app.
  for (const folder of ['rsc', 'ssr', assetsFolder]) {
    for (const file of await filesBelow(path.join(buildDir, folder))) {
      if (!file.endsWith('.js.map')) continue
      const target = path.join(mapsDir, buildId, folder, file)
      await mkdir(path.dirname(target), { recursive: true })
      await rename(path.join(buildDir, folder, file), target)
    }
  }
  const names = await readdir(mapsDir).catch(() => [])
  const builds = await Promise.all(
    names.map(async (name) => {
      const folder = path.join(mapsDir, name)
      return { folder, changedAtMs: (await stat(folder)).mtimeMs }
    }),
  )
  const old = builds.sort((a, b) => b.changedAtMs - a.changedAtMs).slice(maxMappedBuilds)
  await Promise.all(old.map(({ folder }) => rm(folder, { recursive: true, force: true })))
}
