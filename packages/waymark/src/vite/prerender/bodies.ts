import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { cachedPageHeaders, hasOwnCaching } from '../../shared/keptHeaders.ts'
import type { PageCacheLife } from '../../shared/keptPages.ts'
import type { PrerenderedFile, PrerenderedShell } from '../../shared/prerendered.ts'
import type { PrerenderedResponse } from '../../shared/prerendering.ts'

/** Writes the bodies of prerendered answers. */
export type BodyWriter = {
  /**
   * @param file relative to the folder
   * @param life decides what caches are told; without it, what does not change
   * @returns the answer as the manifest lists it
   */
  write(file: string, answer: PrerenderedResponse, life?: PageCacheLife): Promise<PrerenderedFile>
  /** Writes the shell of a page that is static in part. @param file relative to the folder */
  writeShell(file: string, shell: Uint8Array, life: PageCacheLife): Promise<PrerenderedShell>
  /** Removes files that earlier builds wrote and this one did not. */
  removeOthers(): Promise<void>
}

const forEver: PageCacheLife = { tags: [], revalidateSeconds: null, expireSeconds: null }

/**
 * Makes the writer of a folder. A body that did not change is not written again, so that its
 * compressed siblings stay true.
 * @param folderName of the folder, as seen from the manifest
 */
export function createBodyWriter(folder: string, folderName: string): BodyWriter {
  const written = new Set<string>()
  return {
    async write(file, { status, headers, body }, life = forEver) {
      written.add(file)
      await writeIfChanged(path.join(folder, file), body)
      return {
        file: `${folderName}/${file}`,
        status,
        headers: cachedPageHeaders(status, headers, life),
        ...(hasOwnCaching(headers) ? { hasOwnCaching: true } : {}),
      }
    },
    async writeShell(file, shell, life) {
      written.add(file)
      await writeIfChanged(path.join(folder, file), shell)
      return { file: `${folderName}/${file}`, life }
    },
    async removeOthers() {
      for (const file of await filesBelow(folder)) {
        const isKept = written.has(file) || written.has(file.replace(/\.(?:br|gz|zst)$/, ''))
        if (!isKept) await rm(path.join(folder, file))
      }
    },
  }
}

async function writeIfChanged(file: string, body: Uint8Array): Promise<void> {
  const old = await readFile(file).catch(() => null)
  if (old?.equals(body)) return
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, body)
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.replaceAll(path.sep, '/'))
}
