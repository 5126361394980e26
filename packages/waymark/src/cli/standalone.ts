import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readBuildManifest } from '../node/static/manifest.ts'
import { type CommandInput, runCommandLine } from './arguments.ts'
import { describeCoreCommand } from './commands.ts'
import { enableCompileCache } from './compileCache.ts'
import { startBuild } from './startCommand.ts'

/**
 * Runs `node .waymark/server.js`, which is `waymark start` in one file for machines without
 * installed packages.
 *
 * @returns the exit code
 */
export function runProgram(): Promise<number> {
  // The app's code, which is larger than this program, is loaded later.
  enableCompileCache()
  const folder = dirname(fileURLToPath(import.meta.url))
  return runCommandLine(
    ['start', ...process.argv.slice(2)],
    {
      find: () => ({
        ...describeCoreCommand('start'),
        operands: '',
        run(input: CommandInput) {
          const manifest = readBuildManifest(folder)
          return startBuild({ root: process.cwd(), folder, manifest }, input)
        },
      }),
      list: async () => [],
    },
    (text) => text.replace('waymark start', 'node server.js'),
  )
}
