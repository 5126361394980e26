import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseCommandLine } from './arguments.ts'
import { commandHelp } from './help.ts'
import { readBuildManifest, startBuild } from './startCommand.ts'
import { failCommand, processTerminal } from './terminal.ts'

// The program of a build: `node .waymark/server.js` is `waymark start` on a machine without
// packages. The build bundles it into one file.
const folder = dirname(fileURLToPath(import.meta.url))
const terminal = processTerminal()
process.exitCode = await serve()

async function serve(): Promise<number> {
  const line = parseCommandLine(['start', ...process.argv.slice(2)])
  if (line.kind === 'mistake') {
    terminal.fail(line.message, line.hint)
    return 2
  }
  if (line.kind !== 'run') {
    terminal.print(commandHelp('start').replace('waymark start [folder]', 'node server.js'))
    return 0
  }
  try {
    const build = { root: process.cwd(), folder, manifest: readBuildManifest(folder) }
    return await startBuild(build, { options: line.options, terminal })
  } catch (thrown) {
    return failCommand(terminal, thrown)
  }
}
