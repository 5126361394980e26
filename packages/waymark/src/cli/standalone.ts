import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FrameworkError } from '../shared/errors.ts'
import { parseCommandLine } from './arguments.ts'
import { commandHelp } from './help.ts'
import { readBuildManifest, startBuild } from './startCommand.ts'
import { processTerminal } from './terminal.ts'

// The program that a build holds: `node .waymark/server.js` is `waymark start` where nothing is
// installed. The build bundles it into one file.

const folder = dirname(fileURLToPath(import.meta.url))
const terminal = processTerminal()
process.exitCode = await serve()

async function serve(): Promise<number> {
  const line = parseCommandLine(['start', ...process.argv.slice(2)])
  switch (line.kind) {
    case 'run':
      break
    case 'mistake':
      terminal.fail(line.message, line.hint)
      return 2
    default:
      terminal.print(commandHelp('start').replace('waymark start [folder]', 'node server.js'))
      return 0
  }
  try {
    const built = { root: process.cwd(), folder, facts: readBuildManifest(folder) }
    return await startBuild(built, { options: line.options, terminal })
  } catch (thrown) {
    if (thrown instanceof FrameworkError) terminal.fail(thrown.message)
    else terminal.failWith(thrown)
    return 1
  }
}
