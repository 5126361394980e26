import { readdir, readFile, stat } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { buildLayout } from '../shared/build.ts'
import type { GeneratedFile } from './generatedFile.ts'

/** Loads the source map of a build's file. */
export type LoadMap = (file: GeneratedFile, buildId: string | null) => Promise<SourceMap | null>

// Larger than any map that a build should have, and small enough for the memory of a command.
const maxMapBytes = 256 * 2 ** 20

/**
 * Makes what loads source maps, each once.
 * @param buildDir the folder that builds are written to; the maps are in a folder of it, by the id of
 * their build, or beside their files
 * @param currentBuildId of the build that stands in `buildDir` now
 */
export function createLoadMap(buildDir: string, currentBuildId: string | null): LoadMap {
  const loaded = new Map<string, Promise<SourceMap | null>>()
  const mapsDir = path.join(buildDir, buildLayout.maps)

  async function find(file: GeneratedFile, buildId: string | null): Promise<SourceMap | null> {
    for (const folder of await foldersFor(file, buildId)) {
      const map = await readMap(path.join(folder, `${file}.map`))
      if (map) return map
    }
    return null
  }

  /** An equal name means an equal file only in the same build, or where the name has a hash. */
  async function foldersFor(file: GeneratedFile, buildId: string | null): Promise<string[]> {
    const own = buildId ?? currentBuildId
    const folders = own !== null && /^[\w-]+$/.test(own) ? [path.join(mapsDir, own)] : []
    if (own === currentBuildId) folders.push(buildDir)
    if (!file.startsWith('client/')) return folders
    const others = await readdir(mapsDir).catch(() => [])
    return [...folders, ...others.map((name) => path.join(mapsDir, name)), buildDir]
  }

  return (file, buildId) => {
    const key = `${buildId} ${file}`
    const map = loaded.get(key) ?? find(file, buildId)
    loaded.set(key, map)
    return map
  }
}

async function readMap(file: string): Promise<SourceMap | null> {
  try {
    if ((await stat(file)).size > maxMapBytes) return null
    return new SourceMap(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    // None there, or one that nothing can be read from: the frame stays as it is.
    return null
  }
}
