import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { normalizePath } from 'vite'

// A key made anew for every build would give equal builds two ids, and maps run nowhere.
const ignoredFile = /(?:^|\/)__vite_rsc_encryption_key\.js$|\.map$/

/**
 * Names a build after its content: equal ids mean equal builds.
 * @param folders absolute; their order counts, their own names don't
 */
export async function createBuildId(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const [index, folder] of folders.entries()) {
    for (const file of await filesBelow(folder)) {
      if (ignoredFile.test(file)) continue
      const content = await readFile(path.join(folder, file))
      hash.update(`${index}/${file}\0${content.byteLength}\0`).update(content)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => normalizePath(path.relative(folder, path.join(entry.parentPath, entry.name))))
    .sort()
}
