import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { assetsPrefix, fileCacheControl } from 'waymark/adapter'
import { FrameworkError } from 'waymark/drivers'
import { contentTypeOf } from 'waymark/plugin/node'

/** A place from which a file server or a CDN serves the assets. */
export type AssetTarget = {
  /** True if compressed copies are needed, as for a file server. A CDN compresses files itself. */
  readonly takesCompressed: boolean
  /**
   * True if the asset exists with this size. The content hash in the name makes files of equal size
   * equal.
   */
  readonly has: (key: string, size: number) => Promise<boolean>
  readonly put: (asset: Asset) => Promise<void>
}

type Asset = {
  /** Pathname of the asset's URL, without the leading slash. */
  readonly key: string
  /** Absolute path. */
  readonly file: string
  readonly contentType: string
  readonly cacheControl: string
}

export function folderTarget(folder: string): AssetTarget {
  const pathOf = (key: string) => join(resolve(folder), key)
  return {
    takesCompressed: true,
    // Return false for a missing file, which has no size.
    has: async (key, size) => (await stat(pathOf(key)).catch(() => null))?.size === size,
    put: ({ key, file }) => copyWhole(file, pathOf(key)),
  }
}

/** Renames a finished copy, so that a file server never sends half a file. */
async function copyWhole(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const draft = `${target}.${process.pid}.draft`
  try {
    await copyFile(source, draft)
    await rename(draft, target)
  } finally {
    await rm(draft, { force: true })
  }
}

const concurrency = 8

export type PushOptions = {
  /** Destination as given on the command line, for errors. */
  readonly destination: string
  /** Folder of the assets. */
  readonly folder: string
  readonly names: readonly string[]
  /** True to count the missing assets without copying them. */
  readonly isDry: boolean
}

export type Counts = { readonly count: number; readonly bytes: number }

/** Copies missing assets and deletes none. @throws `ASSETS_PUSH` */
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
        throw new FrameworkError(
          'ASSETS_PUSH',
          `${name} could not be written to ${destination}: ${reason}. Fix the problem and run the command again. It continues where it stopped.`,
        )
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return { pushed, present }
}
