import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

// What is made by a build or an install, not written by a person.
const madeFolders = new Set(['node_modules', 'dist', 'packed', '.waymark', '.git'])
const madeFiles = new Set(['waymark-routes.d.ts', 'next-root-params.d.ts'])

/**
 * Lists the files below a folder, sorted; what builds and installs make is left out.
 * @param {string} folder absolute
 * @returns {string[]} absolute paths; none when the folder is missing
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
 * A hash over the names and contents of files and folders; times don't matter, so that a
 * checkout or a copy is as good as the original.
 * @param {string} root names count relative to it
 * @param {readonly string[]} paths absolute files and folders; missing ones count as missing
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
 * A small file that remembers for which fingerprint a step was done.
 * @param {string} file absolute
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
