import path from 'node:path'
import { findPackage, operationsPackage } from '../../node/appPackages.ts'
import { driverPackages } from '../../node/openDrivers.ts'
import { buildLayout } from '../../shared/buildManifest.ts'
import type { Adapter } from '../config/hostAdapter.ts'
import { ownFile } from '../config/ownFiles.ts'

/**
 * The adapter for Node: writes `.waymark/server.js`, which holds `waymark start` in one file, with
 * the packages of `waymark start` that the app has installed.
 */
export function node(): Adapter {
  return {
    name: 'Node',
    async write({ root, buildDir, bundle }) {
      const packages = [...Object.values(driverPackages), operationsPackage].flatMap((name) => {
        const file = findPackage(name, root)
        return file === null ? [] : `${JSON.stringify(name)}: () => import(${JSON.stringify(file)})`
      })
      const program = ownFile('standalone')
      await bundle({
        root: path.dirname(program),
        code: `import { runProgram } from ${JSON.stringify(program)}
process.exitCode = await runProgram({ ${packages.join(', ')} })
`,
        outDir: buildDir,
        output: { entryFileNames: buildLayout.program, codeSplitting: false },
      })
      return { serve: { command: 'npx waymark start' } }
    },
  }
}
