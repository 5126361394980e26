import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HeaderLines } from '../../http/response.ts'
import { frameworkError } from '../../shared/errors.ts'
import { isThenable } from '../../shared/promises.ts'
import { assetsPrefix } from '../../wire/protocol.ts'
import { listFiles } from './manifest.ts'
import { createFileEntry, createSource, type StaticFile } from './staticFile.ts'

/**
 * Copies a build's hashed assets into a folder that servers of several builds share. During a
 * deployment, any server may get requests for files of either build. Existing files get a new
 * modification time, so that old files can be found.
 * @param folder shared folder, created if missing. Several processes may write to it at once
 * @throws `SHARED_ASSETS` if writing fails
 */
export function shareAssets(clientDir: string, folder: string, now = new Date()): void {
  const assetsDir = join(clientDir, assetsPrefix)
  try {
    for (const name of listFiles(assetsDir)) {
      const target = join(folder, assetsPrefix, name)
      if (existsSync(target)) utimesSync(target, now, now)
      else copyWhole(join(assetsDir, name), target)
    }
  } catch (error) {
    throw frameworkError('SHARED_ASSETS', { folder, reason: (error as Error).message })
  }
}

/**
 * Copies a file under a temporary name, then renames it, so that no request finds an incomplete
 * file.
 */
export function copyWhole(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  const draft = `${target}.${process.pid}.draft`
  try {
    copyFileSync(source, draft)
    renameSync(draft, target)
  } finally {
    rmSync(draft, { force: true })
  }
}

export type StoredAssets = {
  /**
   * Returns the hashes of all stored files, keyed by file name. Synchronous if the list is cached.
   */
  list(): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>
  read(hash: string): Promise<Uint8Array | null>
}

type AssetMatch = StaticFile | null

// Matches an asset's file name, without a path. Temporary and compressed files don't match.
const assetName = /^[\w-][\w.-]{0,199}\.(?!draft$|br$|gz$)\w{1,10}$/

/** True if the name could be the name of a different build's asset, below `assetsPrefix`. */
export function isAssetName(name: string): boolean {
  return assetName.test(name)
}

/**
 * Creates a function that finds files in the store. Each listed file is read at most once, and
 * stays in memory as long as the store lists it.
 */
export function createFindStored({
  storedAssets: store,
  headers = [],
}: {
  readonly storedAssets?: StoredAssets | undefined
  readonly headers?: HeaderLines
}): (pathname: string) => AssetMatch | Promise<AssetMatch> {
  const files = new Map<string, Promise<AssetMatch> | AssetMatch>()
  let listed: ReadonlyMap<string, string> | null = null

  function keepListed(list: ReadonlyMap<string, string>): void {
    if (list === listed) return
    listed = list
    for (const [name, file] of files) if (file === null || !list.has(name)) files.delete(name)
  }

  function findListed(
    store: StoredAssets,
    name: string,
    list: ReadonlyMap<string, string>,
  ): AssetMatch | Promise<AssetMatch> {
    keepListed(list)
    const cached = files.get(name)
    if (cached !== undefined) return cached
    if (!list.has(name)) return null
    const loading = loadFile(store, name, { list, headers }).then(
      (file) => {
        // Store `null` as well. A missing file is looked up again once the next list has been read.
        files.set(name, file)
        return file
      },
      (error) => {
        files.delete(name)
        throw error
      },
    )
    files.set(name, loading)
    return loading
  }

  return (pathname) => {
    const name = pathname.slice(assetsPrefix.length)
    if (store === undefined || !isAssetName(name)) return null
    const list = store.list()
    if (!isThenable(list)) return findListed(store, name, list)
    return list.then((each) => findListed(store, name, each))
  }
}

async function loadFile(
  store: StoredAssets,
  name: string,
  { list, headers }: { list: ReadonlyMap<string, string>; headers: HeaderLines },
): Promise<AssetMatch> {
  const exists = (path: string) => list.has(path)
  const file = createFileEntry(`${assetsPrefix}${name}`, name, { headers, exists })
  const modifiedAtMs = Date.now()
  for (const rendition of file.renditions) {
    const bytes = await store.read(list.get(rendition.path) ?? '')
    if (bytes === null) return null
    const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
    const validators = { etag: `"${tag}"`, modifiedAtMs, size: bytes.byteLength }
    rendition.source = createSource(file, rendition.encoding, {
      validators,
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    })
  }
  return file
}
