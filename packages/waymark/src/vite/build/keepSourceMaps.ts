import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { buildLayout } from '../../shared/buildManifest.ts'
import { assetsPrefix } from '../../shared/protocol.ts'

/** Maps that have been taken out of a build. */
export type TakenMaps = {
  /** Puts them where `waymark errors` looks for those of this build. */
  keepFor(buildId: string): Promise<void>
}

// Of earlier builds, for errors that are looked up after a deploy, and for tabs that stay open.
const keptBuilds = 5

/**
 * Takes the source maps out of a build, before its id is made and its files are compressed: they
 * are for the journal, and never served.
 * @param buildDir absolute
 */
export async function takeSourceMaps(buildDir: string): Promise<TakenMaps> {
  const mapsDir = path.join(buildDir, buildLayout.maps)
  const taken = path.join(mapsDir, '.taken')
  await rm(taken, { recursive: true, force: true })
  await mkdir(taken, { recursive: true })
  // Files that the app serves itself, from `public`, stay where they are.
  for (const folder of ['rsc', 'ssr', path.join(buildLayout.client, assetsPrefix)]) {
    for (const file of await mapsBelow(path.join(buildDir, folder))) {
      const target = path.join(taken, folder, file)
      await mkdir(path.dirname(target), { recursive: true })
      await rename(path.join(buildDir, folder, file), target)
    }
  }
  return {
    async keepFor(buildId) {
      const kept = path.join(mapsDir, buildId)
      await rm(kept, { recursive: true, force: true })
      await rename(taken, kept)
      await forgetOldBuilds(mapsDir)
    },
  }
}

async function mapsBelow(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true }).catch(() => [])
  return files.filter((file) => file.endsWith('.js.map'))
}

async function forgetOldBuilds(mapsDir: string): Promise<void> {
  const builds = await Promise.all(
    (await readdir(mapsDir)).map(async (name) => {
      const folder = path.join(mapsDir, name)
      return { folder, changedAtMs: (await stat(folder)).mtimeMs }
    }),
  )
  const old = builds.sort((a, b) => b.changedAtMs - a.changedAtMs).slice(keptBuilds)
  await Promise.all(old.map(({ folder }) => rm(folder, { recursive: true, force: true })))
}
