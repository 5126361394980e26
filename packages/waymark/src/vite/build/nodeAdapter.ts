import path from 'node:path'
import { buildLayout } from '../../builds/buildManifest.ts'
import { frameworkFile } from '../config/frameworkFiles.ts'
import type { Adapter } from '../config/hostAdapter.ts'

/**
 * The adapter for Node: writes `.waymark/server.js`, which holds `waymark start` in one file. The
 * packages that it loads stand beside it, in the build's `runtime.js`.
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
