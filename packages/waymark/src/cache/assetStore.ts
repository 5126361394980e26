import { createHash } from 'node:crypto'
import { tryOrUndefined } from '../shared/neverThrows.ts'
import { type CacheDriver, waitForLease } from './cacheDriver.ts'

export type SharedBuild = {
  readonly buildId: string
  /** Files in the order in which they are loaded. Compressed variants are separate files. */
  readonly files: readonly AssetFile[]
}

type AssetFile = { readonly name: string; readonly size: number; read(): Promise<Uint8Array> }

/** Store for the hashed assets of all running builds, in a cache that their servers share. */
export type AssetStore = ReturnType<typeof createAssetStore>

/** SHA-256 hashes (base64url) of files' contents, keyed by file name. */
export type AssetList = ReadonlyMap<string, string>

type Index = {
  readonly builds: readonly {
    readonly buildId: string
    readonly atMs: number
    readonly files: readonly (readonly [name: string, hash: string])[]
  }[]
}

/**
 * Maximum bytes of a single build's assets. Together with `maxBuilds`, it limits a server's memory
 * for assets.
 */
export const maxBuildBytes = 16 * 2 ** 20
const maxBuilds = 4
const maxFiles = 5_000

/**
 * Milliseconds for which assets are stored. A page that has been open for longer loads a new
 * document anyway.
 */
const expireMs = 3 * 24 * 3_600_000
const renewAfterMs = expireMs / 6

/** Minimum milliseconds between two reads of the list, even if clients request unknown names. */
const listForMs = 1_000

const indexKey = 'waymark assets v1'
const keyOf = (hash: string) => `waymark asset v1 ${hash}`

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url')

export function createAssetStore(driver: CacheDriver, now: () => number = Date.now) {
  let listed: { readonly list: AssetList; readonly atMs: number } | null = null
  let listing: Promise<AssetList> | null = null

  async function write(key: string, value: Uint8Array): Promise<void> {
    const times = { storedAtMs: now(), revalidateAtMs: null, expireAtMs: now() + expireMs }
    await driver.set(key, { value, tags: [], ...times, position: driver.position() })
  }

  async function readIndex(): Promise<Index> {
    return parseIndex((await driver.get(indexKey))?.value)
  }

  async function read(hash: string): Promise<Uint8Array | null> {
    const value = (await driver.get(keyOf(hash)))?.value
    return value && hashOf(value) === hash ? value : null
  }

  async function publish({ buildId, files }: SharedBuild): Promise<boolean> {
    const published = (await readIndex()).builds.find((build) => build.buildId === buildId)
    if (published && now() - published.atMs < renewAfterMs) return true
    const stored: (readonly [name: string, hash: string])[] = []
    for (const file of withinBounds(files)) {
      const bytes = await file.read()
      const hash = hashOf(bytes)
      await write(keyOf(hash), bytes)
      if ((await read(hash)) === null) return false
      stored.push([file.name, hash])
    }
    await alone(driver, async () => {
      const index = withBuild(await readIndex(), { buildId, atMs: now(), files: stored })
      await write(indexKey, new TextEncoder().encode(JSON.stringify(index)))
    })
    return (await readIndex()).builds.some((build) => build.buildId === buildId)
  }

  async function readList(): Promise<AssetList> {
    try {
      const { builds } = await readIndex()
      // An empty list may mean that the store is unreachable, so keep the previous one.
      const before = builds.length === 0 ? listed?.list : undefined
      const list = before ?? new Map(builds.flatMap(({ files }) => files))
      listed = { list, atMs: now() }
      return list
    } finally {
      listing = null
    }
  }

  return {
    /** Stores the assets of a build. @returns false if the store didn't accept all assets */
    publish,
    read,
    list(): AssetList | Promise<AssetList> {
      if (listed && now() - listed.atMs < listForMs) return listed.list
      listing ??= readList()
      return listing
    },
  }
}

function withBuild({ builds }: Index, build: Index['builds'][number]): Index {
  const isLeft = ({ buildId, atMs }: Index['builds'][number]) =>
    buildId !== build.buildId && build.atMs - atMs < expireMs
  return { builds: [build, ...builds.filter(isLeft)].slice(0, maxBuilds) }
}

function withinBounds(files: SharedBuild['files']): SharedBuild['files'] {
  let left = maxBuildBytes
  const fits = ({ size }: AssetFile) => {
    if (size > left) return false
    left -= size
    return true
  }
  return files.slice(0, maxFiles).filter(fits)
}

const lockMs = 5_000

/**
 * Runs a function under a lease that all servers share. If the lease isn't free within 5 s, runs
 * the function without it.
 */
async function alone(driver: CacheDriver, run: () => Promise<void>): Promise<void> {
  const lease = await waitForLease(driver, `${indexKey} lock`, { ttlMs: lockMs, waitMs: lockMs })
  try {
    await run()
  } finally {
    if (lease.kind === 'ours') await lease.release()
  }
}

function parseIndex(value: Uint8Array | undefined): Index {
  const index = tryOrUndefined<Index>(() => JSON.parse(new TextDecoder().decode(value)))
  return Array.isArray(index?.builds) ? index : { builds: [] }
}
