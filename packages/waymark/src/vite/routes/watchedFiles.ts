import path from 'node:path'
import { type Connect, type FSWatcher, normalizePath } from 'vite'
import { isRouteFile, listAppFiles } from './scanRoutes.ts'

/**
 * Creates an object that finds added and deleted route files which the watcher hasn't reported. The
 * watcher misses files that appear and disappear within milliseconds, and sometimes files in a new
 * folder. Without a report, the dev server would keep outdated routes.
 */
export function createWatchedFiles() {
  // Files that the dev server knows from its last read of the app folder and from later events.
  // `null` before the first read.
  let known: Set<string> | null = null

  /** Emits the missing events. All plugins handle them like those from the file system. */
  async function reportMissed(watcher: FSWatcher, appDir: string): Promise<void> {
    const present = new Set(await listAppFiles(appDir))
    if (known === null) return
    const added = [...present].filter((file) => known?.has(file) === false)
    const deleted = [...known].filter((file) => !present.has(file))
    const report = (event: 'add' | 'unlink', files: readonly string[]) => {
      for (const file of files.map((each) => path.join(appDir, each))) {
        if (!isRouteFile(appDir, normalizePath(file))) continue
        watcher.emit(event, file)
        watcher.emit('all', event, file)
      }
    }
    report('add', added)
    report('unlink', deleted)
  }

  return {
    /** @param files relative to the app folder, as read just now */
    set(files: readonly string[]): void {
      known = new Set(files)
    },
    /** Creates a middleware that looks for missed files after a response with status 404 or 5xx. */
    checkAfterFailure(watcher: FSWatcher, appDir: () => string): Connect.NextHandleFunction {
      const relative = (file: string) => path.posix.relative(appDir(), normalizePath(file))
      watcher.on('add', (file) => known?.add(relative(file)))
      watcher.on('unlink', (file) => known?.delete(relative(file)))
      return (_req, res, next) => {
        res.once('close', () => {
          if (res.statusCode !== 404 && res.statusCode < 500) return
          // If the app folder can't be read, the next request reports it.
          reportMissed(watcher, appDir()).catch(() => {})
        })
        next()
      }
    },
  }
}
