import path from 'node:path'
import { buildLayout } from '../../builds/buildManifest.ts'
import { frameworkFile } from '../config/frameworkFiles.ts'
import type { Adapter } from '../config/hostAdapter.ts'

/**
 * Adapter for Node. Writes `.waymark/server.js`, a single file with all of `waymark start`. The
 * packages that the server loads on demand are in the build's `runtime.js`, next to `server.js`.
 */
export function node(): Adapter {
  return {
    name: 'Node',
    async write({ buildDir, bundle }) {
      const program = frameworkFile('standalone')
      await bundle({
        root: path.dirname(program),
        code: `import { runProgram } from ${JSON.stringify(program)}
process.exitCode = await runProgram()
`,
        outDir: buildDir,
        output: { entryFileNames: buildLayout.program, codeSplitting: false },
      })
      return { serve: { command: 'npx waymark start' } }
    },
  }
}
