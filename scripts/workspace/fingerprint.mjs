import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

// Folders that a build or an install creates.
const madeFolders = new Set(['node_modules', 'dist', 'packed', '.waymark', '.git'])
const madeFiles = new Set(['waymark-routes.d.ts', 'waymark-i18n.d.ts', 'next-root-params.d.ts'])

/**
 * Lists the files below a folder in sorted order, without the output of builds and installs.
 * @param {string} folder absolute path
 * @returns {string[]} absolute paths; an empty list if the folder does not exist
 */
export function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return madeFolders.has(entry.name) ? [] : filesBelow(path)
      return entry.isFile() && !madeFiles.has(entry.name) ? [path] : []
    })
}

/**
 * Returns a hash over the names and contents of files and folders. It ignores times, so that a
 * checkout or a copy has the same hash as the original.
 * @param {string} root names are hashed relative to this folder
 * @param {readonly string[]} paths absolute paths of files and folders; a missing path changes the
 * hash, too
 * @returns {string} 64 hex digits
 */
export function fingerprint(root, paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    const files = existsSync(path) && statSync(path).isFile() ? [path] : filesBelow(path)
    for (const file of files) {
      const content = readFileSync(file)
      hash.update(`${relative(root, file)}\0${content.length}\0`).update(content)
    }
  }
  return hash.digest('hex')
}

/**
 * Creates a stamp, a small file that contains the fingerprint of a step's inputs when the step was
 * last done.
 * @param {string} file absolute path
 */
export function createStamp(file) {
  return {
    /** @param {string} value */
    matches: (value) => existsSync(file) && readFileSync(file, 'utf8').trim() === value,
    /** @param {string} value */
    write(value) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${value}\n`)
    },
  }
}
