import { build, type Plugin, type Rolldown } from 'vite'

/** A program of this package to be bundled with all that it imports. */
export type ProgramBundle = {
  readonly root: string
  readonly input: Record<string, string>
  readonly outDir: string
  readonly output: Rolldown.OutputOptions
  readonly plugins?: Plugin[]
  readonly define?: Record<string, string>
}

/** Bundles a program for a server that has no packages installed. */
export async function bundleProgram(bundle: ProgramBundle): Promise<void> {
  const { input, outDir, output, ...config } = bundle
  await build({
    ...config,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: { input, experimental: { attachDebugInfo: 'none' }, output },
    },
    ssr: { noExternal: true },
  })
}
