import { realpathSync } from 'node:fs'
import { frameworkError } from '../shared/errors.ts'
import { tryOrUndefined } from '../shared/neverThrows.ts'

/**
 * Refuses folders in which Vite or Node can't work. Without this check, the command would fail later
 * with an error about another file, or serve broken pages.
 *
 * @param root absolute path of the app's folder
 * @throws `PROJECT_PATH`
 */
export function checkProjectPath(root: string, command: 'dev' | 'build'): void {
  // Check the path behind symbolic links, too, because Vite follows them.
  const paths = [root, tryOrUndefined(() => realpathSync(root)) ?? root]
  for (const path of paths) {
    const problem = pathProblem(path, command)
    if (problem !== null) throw frameworkError('PROJECT_PATH', { path, problem })
  }
}

/**
 * Returns the part of a path that a command doesn't support, and the reason.
 *
 * @param platform the system on which the command runs
 */
export function pathProblem(
  path: string,
  command: 'dev' | 'build',
  platform: NodeJS.Platform = process.platform,
): string | null {
  const isWindows = platform === 'win32'
  const [viteRefuses] = /[#?*]/.exec(path) ?? []
  if (viteRefuses) return `"${viteRefuses}", a character that has a special meaning for Vite`
  // Windows uses these two characters between folders and after the drive.
  if (!isWindows && path.includes('\\')) return '"\\", so Node can\'t import modules from it'
  if (command === 'build') return null
  if (!isWindows && path.includes(':')) return '":", so Vite refuses to serve the files in it'
  const isPackage = path.split(/[\\/]/).includes('node_modules')
  return isPackage ? 'a folder node_modules, whose files Vite treats as packages' : null
}
