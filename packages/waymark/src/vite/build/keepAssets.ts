import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type AssetsManifest, buildLayout, type Integrity } from '../../shared/buildManifest.ts'
import { frameworkError } from '../../shared/errors.ts'
import { assetsPrefix } from '../../shared/protocol.ts'
import { filesBelow } from '../config/filesBelow.ts'
import { previousPath } from './previousBuild.ts'

/** Which assets of earlier builds stay. */
export type KeepAssetsOptions = {
  /** Absolute. */
  readonly buildDir: string
  /** Of the new build. */
  readonly buildId: string
  /** How many builds in all, the new one included. */
  readonly keepBuilds: number
  /** The folder of another build, such as the deployed one, or of its app. */
  readonly assetsFrom: string | null
}

const aside = 'assets-before'

/**
 * Moves the assets of earlier builds away, before the bundler empties their folder. When the build
 * fails they stay there, for the next one.
 */
export async function setAssetsAside(buildDir: string): Promise<void> {
  const before = path.join(buildDir, aside)
  await mkdir(before, { recursive: true })
  await moveFiles(assetsDir(buildDir), before, await filesBelow(assetsDir(buildDir)))
  // Of the build that is put back when this one is stopped: it keeps its own.
  const previous = previousPath(buildDir, path.join(buildLayout.client, assetsPrefix))
  for (const name of await filesBelow(previous)) {
    const target = path.join(before, name)
    await mkdir(path.dirname(target), { recursive: true })
    await cp(path.join(previous, name), target)
  }
}

/**
 * Puts the assets of the last builds beside those of the new one, for pages that are still open,
 * and deletes older ones.
 * @throws `ASSETS_FROM` when that folder holds no build
 */
export async function keepAssets(options: KeepAssetsOptions): Promise<void> {
  const { buildDir, buildId, keepBuilds, assetsFrom } = options
  const target = assetsDir(buildDir)
  const before = path.join(buildDir, aside)
  const own = { buildId, files: await filesBelow(target) }
  const earlier = (await readManifest(buildDir))?.builds ?? []
  const copied = assetsFrom === null ? [] : await copyAssetsFrom(assetsFrom, before)
  const ids = new Set([buildId])
  const others = [...copied, ...earlier].filter(
    (build) => !ids.has(build.buildId) && ids.add(build.buildId),
  )
  const builds = [own, ...others].slice(0, keepBuilds)
  const there = new Set(own.files)
  const missing = builds.flatMap(({ files }) => files).filter((name) => !there.has(name))
  await moveFiles(before, target, new Set(missing))
  await rm(before, { recursive: true, force: true })
  const manifest: AssetsManifest = { version: 1, builds }
  const file = path.join(buildDir, buildLayout.assets)
  await writeFile(`${file}.new`, `${JSON.stringify(manifest, null, 1)}\n`)
  await rename(`${file}.new`, file)
}

/** Copies the assets of another build to those of earlier builds. */
async function copyAssetsFrom(folder: string, before: string): Promise<AssetsManifest['builds']> {
  const inApp = path.join(folder, buildLayout.folder)
  const manifest = await readManifest(inApp)
  const from = manifest ? inApp : folder
  const builds = (manifest ?? (await readManifest(folder)))?.builds
  if (!builds) throw frameworkError('ASSETS_FROM', { folder })
  await mkdir(before, { recursive: true })
  await cp(assetsDir(from), before, { recursive: true, force: false })
  return builds
}

async function readManifest(buildDir: string): Promise<AssetsManifest | null> {
  try {
    const text = await readFile(path.join(buildDir, buildLayout.assets), 'utf8')
    const manifest = JSON.parse(text) as AssetsManifest
    return manifest.version === 1 ? manifest : null
  } catch {
    // None yet, or a truncated one: nothing is known of earlier builds.
    return null
  }
}

async function moveFiles(from: string, to: string, names: Iterable<string>): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const name of names) {
    await mkdir(path.dirname(path.join(to, name)), { recursive: true })
    // A name holds the hash of its content: what is there already is the same.
    await rename(path.join(from, name), path.join(to, name)).catch((error) => {
      // The folder was emptied meanwhile: a build without the file is still a build.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    })
  }
}

function assetsDir(buildDir: string): string {
  return path.join(buildDir, buildLayout.client, assetsPrefix)
}

// Earlier ones serve errors that are looked up after a deploy, and tabs that stay open.
const maxMappedBuilds = 5

/**
 * Moves the source maps out of a build to where `waymark errors` looks for them, before its files
 * are compressed: they are for the journal, and never served. Deletes those of older builds.
 */
export async function keepSourceMaps(buildDir: string, buildId: string): Promise<void> {
  const mapsDir = path.join(buildDir, buildLayout.maps)
  const target = path.join(mapsDir, buildId)
  await rm(target, { recursive: true, force: true })
  // Files that the app serves itself, from `public`, stay where they are.
  for (const folder of ['rsc', 'ssr', path.join(buildLayout.client, assetsPrefix)]) {
    const from = path.join(buildDir, folder)
    const maps = (await filesBelow(from)).filter((file) => file.endsWith('.js.map'))
    await moveFiles(from, path.join(target, folder), maps)
  }
  const builds = await Promise.all(
    (await readdir(mapsDir)).map(async (name) => {
      const folder = path.join(mapsDir, name)
      return { folder, changedAtMs: (await stat(folder)).mtimeMs }
    }),
  )
  const old = builds.sort((a, b) => b.changedAtMs - a.changedAtMs).slice(maxMappedBuilds)
  await Promise.all(old.map(({ folder }) => rm(folder, { recursive: true, force: true })))
}

/**
 * Hashes the scripts and stylesheets that a build has written for browsers.
 * @param clientDir folder of the client's files
 * @param base before every URL of the assets
 * @see Subresource Integrity, §3.1
 */
export async function hashAssets(clientDir: string, base: string): Promise<Integrity> {
  const folder = path.join(clientDir, assetsPrefix)
  const hashes: Record<string, string> = {}
  for (const file of await filesBelow(folder)) {
    if (!/\.(?:m?js|css)$/.test(file)) continue
    const content = await readFile(path.join(folder, file))
    const hash = createHash('sha384').update(content).digest('base64')
    hashes[`${base}${assetsPrefix.slice(1)}${file}`] = `sha384-${hash}`
  }
  return hashes
}
