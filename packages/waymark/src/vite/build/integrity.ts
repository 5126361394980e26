import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { normalizePath } from 'vite'
import type { Integrity } from '../../shared/build.ts'
import { assetsPrefix } from '../../shared/protocol.ts'

/**
 * Hashes the scripts and stylesheets that a build has written for browsers.
 * @param clientDir folder of the client's files
 * @param base before every URL of the assets
 * @see Subresource Integrity, §3.1
 */
export async function hashAssets(clientDir: string, base: string): Promise<Integrity> {
  const folder = path.join(clientDir, assetsPrefix)
  const files = await readdir(folder, { recursive: true }).catch(() => [])
  const hashes: Record<string, string> = {}
  for (const file of files.filter((name) => /\.(?:m?js|css)$/.test(name)).sort()) {
    const content = await readFile(path.join(folder, file))
    const hash = createHash('sha384').update(content).digest('base64')
    hashes[`${base}${assetsPrefix.slice(1)}${normalizePath(file)}`] = `sha384-${hash}`
  }
  return hashes
}
