import { build, type InlineConfig, type Rolldown } from 'vite'
import { findPackage } from '../../node/appPackages.ts'
import { driverPackages } from '../../node/openDrivers.ts'
import { buildLayout } from '../../shared/buildManifest.ts'
import { ownFile, ownFolder } from '../config/ownFiles.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { serveVirtual } from '../config/virtualModule.ts'

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

const programId = 'virtual:waymark/program'

/** Bundles `.waymark/server.js`, with the packages of drivers that the app has installed. */
export async function bundleServerProgram({
  root,
  buildDir,
}: Pick<ResolvedOptions, 'root' | 'buildDir'>): Promise<void> {
  const packages = Object.values(driverPackages).flatMap((name) => {
    const file = findPackage(name, root)
    return file === null ? [] : `${JSON.stringify(name)}: () => import(${JSON.stringify(file)})`
  })
  const code = `import { runProgram } from ${JSON.stringify(ownFile('standalone'))}
process.exitCode = await runProgram({ ${packages.join(', ')} })
`
  await bundleProgram({
    root: `${ownFolder}cli`,
    input: { program: programId },
    outDir: buildDir,
    output: { entryFileNames: buildLayout.program, codeSplitting: false },
    plugins: [{ name: 'waymark:program', ...serveVirtual(`${programId}$`, () => code) }],
  })
}
