import { build, type InlineConfig, type Rolldown } from 'vite'

/** A program of this package to be bundled with all that it imports. */
export type ProgramBundle = Pick<InlineConfig, 'root' | 'plugins' | 'define'> & {
  readonly input: Record<string, string>
  readonly outDir: string
  readonly output: Rolldown.OutputOptions
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
      emitAssets: true,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: { input, experimental: { attachDebugInfo: 'none' }, output },
    },
    ssr: { noExternal: true },
  })
}
