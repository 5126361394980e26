import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BundledPackages } from '../node/appPackages.ts'
import { runCommandLine } from './arguments.ts'
import { readBuildManifest, startBuild } from './startCommand.ts'

/**
 * Runs the program of a build: `node .waymark/server.js` is `waymark start` on a machine without
 * packages. The build bundles it into one file.
 * @param bundled the packages that the app has installed
 * @returns the exit code
 */
export function runProgram(bundled: BundledPackages): Promise<number> {
  const folder = dirname(fileURLToPath(import.meta.url))
  return runCommandLine(
    ['start', ...process.argv.slice(2)],
    async () => async (input) => {
      const manifest = readBuildManifest(folder)
      return startBuild({ root: process.cwd(), folder, manifest, bundled }, input)
    },
    (help) => help.replace('waymark start [folder]', 'node server.js'),
  )
}
