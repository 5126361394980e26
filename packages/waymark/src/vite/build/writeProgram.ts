import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { buildLayout } from '../../shared/build.ts'

const entry = fileURLToPath(new URL('../../cli/standalone.js', import.meta.url))

/**
 * Writes the program that serves a build where nothing is installed: `waymark start`, in one file.
 * @param buildDir absolute
 */
export async function writeProgram(buildDir: string): Promise<void> {
  await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'error',
    root: dirname(entry),
    build: {
      ssr: entry,
      outDir: buildDir,
      emptyOutDir: false,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        experimental: { attachDebugInfo: 'none' },
        output: { entryFileNames: buildLayout.program, codeSplitting: false },
      },
    },
    ssr: { noExternal: true },
  })
}
