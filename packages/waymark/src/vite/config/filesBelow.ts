import { readdir } from 'node:fs/promises'
import path from 'node:path'

/**
 * Lists the files below a folder.
 * @returns sorted, relative to the folder, with forward slashes; none where there is no folder
 */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort()
}
