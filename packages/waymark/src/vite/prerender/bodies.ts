import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { HeaderLines } from '../../shared/answer.ts'
import type { PrerenderedFile } from '../../shared/prerendered.ts'
import type { WholeAnswer } from '../../shared/prerendering.ts'

/** Writes the bodies of prerendered answers. */
export type BodyWriter = {
  /**
   * @param file relative to the folder
   * @returns the answer as the manifest lists it
   */
  write(file: string, answer: WholeAnswer): Promise<PrerenderedFile>
  /** Removes files that earlier builds wrote and this one did not. */
  removeOthers(): Promise<void>
}

// Browsers and caches may keep it, and ask each time whether it is still the one.
const defaultCaching = 'public, max-age=0, must-revalidate'

// The server says these itself.
const serverHeaders: ReadonlySet<string> = new Set(['content-length', 'vary', 'etag'])

/**
 * Makes the writer of a folder. A body that did not change is not written again, so that its
 * compressed siblings stay true.
 * @param folderName of the folder, as seen from the manifest
 */
export function createBodyWriter(folder: string, folderName: string): BodyWriter {
  const written = new Set<string>()
  return {
    async write(file, { status, headers, body }) {
      written.add(file)
      await writeIfChanged(path.join(folder, file), body)
      return { file: `${folderName}/${file}`, status, headers: keptHeaders(status, headers) }
    },
    async removeOthers() {
      for (const file of await filesBelow(folder)) {
        const isKept = written.has(file) || written.has(file.replace(/\.(?:br|gz|zst)$/, ''))
        if (!isKept) await rm(path.join(folder, file))
      }
    },
  }
}

function keptHeaders(status: number, headers: HeaderLines): HeaderLines {
  const kept = headers.filter(([name, value]) => {
    const lower = name.toLowerCase()
    // What a renderer says of an answer to one client; this one is for all.
    if (lower === 'cache-control') return !/private|no-store/.test(value)
    return !serverHeaders.has(lower)
  })
  const isSaid = kept.some(([name]) => name.toLowerCase() === 'cache-control')
  // A fallback may be gone in a minute, when what was missing is there.
  const caching = status < 400 ? defaultCaching : 'private, no-store'
  return isSaid ? kept : [...kept, ['cache-control', caching]]
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
