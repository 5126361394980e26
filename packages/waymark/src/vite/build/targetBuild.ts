import path from 'node:path'
import { build, type InlineConfig, type Rolldown } from 'vite'
import { findPackage, operationsPackage } from '../../node/appPackages.ts'
import { driverPackages } from '../../node/openDrivers.ts'
import { encodePathname, listFiles } from '../../node/static/manifest.ts'
import { contentTypeOf } from '../../node/static/mediaTypes.ts'
import { buildLayout } from '../../shared/buildManifest.ts'
import { ownFile } from '../config/ownFiles.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { serveVirtual } from '../config/virtualModule.ts'
import { isPrivateBuild } from './buildModule.ts'

/** A build, as a target gets it. All paths are absolute. */
export type TargetBuild = {
  readonly root: string
  readonly buildDir: string
  /** The built server; its exports are a `BuiltServer`. */
  readonly server: string
  /** The files for browsers. */
  readonly clientDir: string
  /** Lists their media types by the pathname of the URL, without compressed siblings. */
  files(): Readonly<Record<string, string>>
  /** Tells whether the server holds a secret: what it is bundled into is for its owner alone. */
  isPrivate(): Promise<boolean>
  /** Bundles a program with all that it imports, for where no packages are. */
  bundle(program: TargetProgram): Promise<void>
}

export type TargetProgram = Pick<InlineConfig, 'root' | 'plugins' | 'define'> & {
  /** Source of the entry: imports of absolute paths, and a call. */
  readonly code: string
  readonly outDir: string
  readonly output: Rolldown.OutputOptions
}

/** A runtime that an app is built for. */
export type RuntimeTarget = {
  /**
   * Writes what the runtime needs beside a build.
   * @returns the command that serves it, to be run in the app's folder
   */
  write(build: TargetBuild, envNames: readonly string[]): Promise<string>
}

export function describeTargetBuild({
  root,
  buildDir,
}: Pick<ResolvedOptions, 'root' | 'buildDir'>): TargetBuild {
  const server = path.join(buildDir, buildLayout.serverEntry)
  const clientDir = path.join(buildDir, buildLayout.client)
  return {
    ...{ root, buildDir, server, clientDir },
    files: () => filesOf(clientDir),
    isPrivate: () => isPrivateBuild(path.dirname(server)),
    bundle: bundleProgram,
  }
}

function filesOf(folder: string): Record<string, string> {
  const files = listFiles(folder)
  const known = new Set(files)
  const isSibling = (file: string) => /\.(?:br|gz)$/.test(file) && known.has(file.slice(0, -3))
  const served = files.filter((file) => !isSibling(file))
  return Object.fromEntries(served.map((file) => [encodePathname(`/${file}`), contentTypeOf(file)]))
}

/** Node: `.waymark/server.js`, with the packages of `waymark start` that the app has installed. */
export const nodeTarget: RuntimeTarget = {
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
    return 'waymark start'
  },
}

const entryId = 'virtual:waymark/program'

async function bundleProgram(program: TargetProgram): Promise<void> {
  const { code, outDir, output, plugins = [], ...config } = program
  const entry = { name: 'waymark:program', ...serveVirtual(`${entryId}$`, () => code) }
  await build({
    ...config,
    plugins: [entry, ...plugins],
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
      rolldownOptions: {
        input: { program: entryId },
        experimental: { attachDebugInfo: 'none' },
        output,
      },
    },
    ssr: { noExternal: true },
  })
}
