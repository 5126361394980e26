import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { buildLayout } from '../../shared/buildManifest.ts'
import { assetsPrefix } from '../../shared/protocol.ts'
import { filesBelow } from '../config/filesBelow.ts'

/** Source maps that were moved out of a build. */
export type TakenMaps = {
  /** Moves them to where `waymark errors` looks for those of this build. */
  keepFor(buildId: string): Promise<void>
}

// Earlier ones serve errors that are looked up after a deploy, and tabs that stay open.
const maxBuilds = 5

/**
 * Moves the source maps out of a build, before its files are compressed: they are for the journal,
 * and never served.
 * @param buildDir absolute
 */
export async function takeSourceMaps(buildDir: string): Promise<TakenMaps> {
  const mapsDir = path.join(buildDir, buildLayout.maps)
  const taken = path.join(mapsDir, '.taken')
  await rm(taken, { recursive: true, force: true })
  await mkdir(taken, { recursive: true })
  // Files that the app serves itself, from `public`, stay where they are.
  for (const folder of ['rsc', 'ssr', path.join(buildLayout.client, assetsPrefix)]) {
    for (const file of await filesBelow(path.join(buildDir, folder))) {
      if (!file.endsWith('.js.map')) continue
      const target = path.join(taken, folder, file)
      await mkdir(path.dirname(target), { recursive: true })
      await rename(path.join(buildDir, folder, file), target)
    }
  }
  return {
    async keepFor(buildId) {
      const target = path.join(mapsDir, buildId)
      await rm(target, { recursive: true, force: true })
      await rename(taken, target)
      await deleteOldBuilds(mapsDir)
    },
  }
}

async function deleteOldBuilds(mapsDir: string): Promise<void> {
  const builds = await Promise.all(
    (await readdir(mapsDir)).map(async (name) => {
      const folder = path.join(mapsDir, name)
      return { folder, changedAtMs: (await stat(folder)).mtimeMs }
    }),
  )
  const old = builds.sort((a, b) => b.changedAtMs - a.changedAtMs).slice(maxBuilds)
  await Promise.all(old.map(({ folder }) => rm(folder, { recursive: true, force: true })))
}
