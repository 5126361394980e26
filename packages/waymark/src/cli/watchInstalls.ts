import { existsSync, type Stats, unwatchFile, watchFile } from 'node:fs'
import { dirname, join } from 'node:path'

// Files that package managers write at the end of an install: npm, pnpm, Yarn 2 and later, Yarn 1
// and Bun.
const installMarks = [
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-state.yml',
  'node_modules/.yarn-integrity',
  'bun.lock',
]

/**
 * Notices when a package manager has installed, updated or removed packages. Vite's watcher ignores
 * `node_modules`, so this function polls a few files.
 *
 * @param root absolute path of the app's folder; the folders around it belong to a workspace
 * @returns a function that stops watching
 */
export function watchInstalls(root: string, onInstall: () => void, intervalMs = 1_000): () => void {
  const folders = [
    root,
    ...parentsOf(root).filter((each) => existsSync(join(each, 'node_modules'))),
  ]
  const files = folders.flatMap((folder) => installMarks.map((mark) => join(folder, mark)))
  const listener = (now: Stats, before: Stats) => {
    // `mtimeMs` is 0 for a file that doesn't exist. Package managers delete the file before they
    // write it.
    if (now.mtimeMs !== 0 && now.mtimeMs !== before.mtimeMs) onInstall()
  }
  for (const file of files) {
    watchFile(file, { interval: intervalMs, persistent: false }, listener)
  }
  return () => {
    for (const file of files) unwatchFile(file, listener)
  }
}

function parentsOf(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [] : [parent, ...parentsOf(parent)]
}
