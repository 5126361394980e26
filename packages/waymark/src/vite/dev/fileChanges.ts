import { existsSync, type Stats, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FSWatcher, Plugin } from 'vite'
import { tryOrUndefined } from '../../shared/neverThrows.ts'

/**
 * Milliseconds to wait before checking a file again. After reporting a change, Vite's watcher drops
 * further changes to the file for 50 ms.
 */
const watcherPause = 60

/**
 * Reports the last write to a file. Editors empty a file before they write it. Vite's watcher
 * reports the empty file, but may drop the report of the new content; the dev server would then
 * keep serving an empty style or module.
 */
export function fileChangesPlugin(): Plugin {
  return {
    name: 'waymark:file-changes',
    apply: 'serve',
    configureServer({ watcher }) {
      watcher.on('change', (file) => void reportLaterWrite(watcher, file))
      watchFilesOnce(watcher)
    },
  }
}

/**
 * Ignores files that are already watched. After each edit, plugin-rsc adds all modules of the page
 * again, to update its styles. For each file outside of the app, such as a package in the root of a
 * monorepo, the watcher would read the file's status and compile its ignore patterns again.
 */
export function watchFilesOnce(watcher: FSWatcher): void {
  const watched = new Set<string>()
  const { add, unwatch } = watcher
  watcher.add = function addOnce(...args) {
    const [paths, ...internal] = args
    if (typeof paths !== 'string' || internal.length > 0) return add.apply(this, args)
    if (watched.has(paths)) return this
    watched.add(paths)
    return add.apply(this, args)
  }
  watcher.unwatch = function unwatchAdded(paths) {
    for (const each of [paths].flat()) watched.delete(each)
    return unwatch.call(this, paths)
  }
  // A deleted file is no longer watched.
  watcher.on('unlink', (file) => watched.delete(file))
  watcher.on('unlinkDir', (folder) => watched.delete(folder))
}

/**
 * Checks the modules that import a deleted file instead of the file itself. plugin-rsc would load the
 * deleted file again, and report an error even if no module imports the file any more.
 */
export function deletedFilesPlugin(): Plugin {
  return {
    name: 'waymark:deleted-files',
    apply: 'serve',
    hotUpdate: {
      order: 'pre',
      handler({ type, modules }) {
        const { name, moduleGraph } = this.environment
        if (type !== 'delete' || name !== 'rsc') return
        const importers = new Set(modules.flatMap((module) => [...module.importers]))
        for (const module of modules) importers.delete(module)
        for (const importer of importers) moduleGraph.invalidateModule(importer)
        // An importer can be deleted at the same time. Its own event follows.
        return [...importers].filter(({ file }) => !file || !isDeleted(file))
      },
    },
  }
}

/** Returns false for a virtual module, whose name isn't a path. */
function isDeleted(file: string): boolean {
  return isAbsolute(file) && !existsSync(file)
}

async function reportLaterWrite(watcher: FSWatcher, file: string): Promise<void> {
  const reported = fileStats(file)
  await setTimeout(watcherPause)
  const last = fileStats(file)
  if (!reported || !last || isSameContent(reported, last)) return
  watcher.emit('change', file, last)
  watcher.emit('all', 'change', file, last)
}

function fileStats(file: string): Stats | undefined {
  return tryOrUndefined(() => statSync(file))
}

function isSameContent(before: Stats, after: Stats): boolean {
  return before.mtimeMs === after.mtimeMs && before.size === after.size
}
