import { type Stats, statSync } from 'node:fs'
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
    },
  }
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
