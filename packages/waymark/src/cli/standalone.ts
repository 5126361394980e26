import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from './arguments.ts'
import { readBuildManifest, startBuild } from './startCommand.ts'

// The program of a build: `node .waymark/server.js` is `waymark start` on a machine without
// packages. The build bundles it into one file.
const folder = dirname(fileURLToPath(import.meta.url))

process.exitCode = await runCommandLine(
  ['start', ...process.argv.slice(2)],
  async () => async (input) =>
    startBuild({ root: process.cwd(), folder, manifest: readBuildManifest(folder) }, input),
  (help) => help.replace('waymark start [folder]', 'node server.js'),
)
