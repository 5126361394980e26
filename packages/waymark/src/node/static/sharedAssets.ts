import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { frameworkError } from '../../shared/errors.ts'
import { assetsPrefix } from '../../shared/protocol.ts'
import { listFiles } from './manifest.ts'

/**
 * Puts a build's hashed assets into a folder that servers of several builds share: while one
 * build takes the place of another, a page of either may ask any server for its files. Files that
 * are there already are the same; their time is renewed, so that old ones can be found.
 * @param clientDir of the build
 * @param folder created when it is missing; several processes may write to it at once
 * @throws `SHARED_ASSETS` when it can't be written to
 */
export function shareAssets(clientDir: string, folder: string, now = new Date()): void {
  const own = join(clientDir, assetsPrefix)
  try {
    for (const name of existsSync(own) ? listFiles(own) : []) {
      const target = join(folder, assetsPrefix, name)
      if (existsSync(target)) utimesSync(target, now, now)
      else copyWhole(join(own, name), target)
    }
  } catch (error) {
    throw frameworkError('SHARED_ASSETS', { folder, reason: (error as Error).message })
  }
}

/** Writes under another name first: a request meanwhile finds no file, rather than half of one. */
function copyWhole(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  const draft = `${target}.${process.pid}.draft`
  try {
    copyFileSync(source, draft)
    renameSync(draft, target)
  } finally {
    rmSync(draft, { force: true })
  }
}
