import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { frameworkError } from '../shared/errors.ts'

/**
 * Imports a module of a build.
 * @param file path relative to the build's folder
 * @throws `BUILD_CLOSED` if a different user owns the build, because only its owner can read its
 * secret
 */
export async function importBuilt<Module>(folder: string, file: string): Promise<Module> {
  try {
    return await import(pathToFileURL(join(folder, file)).href)
  } catch (error) {
    const { code, path: closed } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' || !closed?.startsWith(folder)) throw error
    const { getuid, getgid } = process
    throw frameworkError('BUILD_CLOSED', {
      folder,
      file: closed,
      uid: getuid?.() ?? 0,
      gid: getgid?.() ?? 0,
    })
  }
}
