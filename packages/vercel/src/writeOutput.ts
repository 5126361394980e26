import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Adapter, AppBuild, BuildContents } from 'waymark/adapter'
import { functionPath, type OutputPlan, planOutput } from './planOutput.ts'

export type VercelOptions = {
  /**
   * Seconds after which Vercel ends a request. The limit depends on your plan. Default: 60, which
   * every plan allows.
   */
  readonly maxDuration?: number
  /** Regions in which the function runs, such as `['fra1']`. Default: the project's regions. */
  readonly regions?: readonly string[]
  /** Memory of the function in megabytes. Default: the project's memory. */
  readonly memory?: number
}

/** Returns the adapter that writes `.vercel/output`, in version 3 of Vercel's Build Output API. */
export function vercel(options: VercelOptions = {}): Adapter {
  const { maxDuration = 60 } = options
  return {
    name: 'Vercel',
    lacks: ['headers', 'compression', 'sockets', 'images', 'sharedState'],
    async write(build) {
      const outDir = path.join(build.root, '.vercel/output')
      await rm(outDir, { recursive: true, force: true })
      // Reading the contents hashes every file, so do it once.
      const contents = build.contents()
      const plan = planOutput(contents, build)
      await writeStatic(build, plan, path.join(outDir, 'static'))
      const functionDir = path.join(outDir, 'functions', `${functionPath}.func`)
      await writeFunction(build, plan, {
        contents,
        functionDir,
        options: { ...options, maxDuration },
      })
      await writeJson(path.join(outDir, 'config.json'), outputConfig(build, plan))
      const isPrivate = await build.isPrivate()
      return {
        serve: { text: 'Deploy .vercel/output with: npx vercel deploy --prebuilt' },
        notes: [
          isPrivate
            ? 'The function contains a secret. Set WAYMARK_SECRET for the build and in the settings of the project instead.'
            : 'The project needs the variable WAYMARK_SECRET.',
          ...build.envNames.map((name) => `The project needs the variable ${name}.`),
          ...build.externals.map(
            (name) => `The function needs the package ${name} in its node_modules.`,
          ),
        ],
      }
    },
  }
}

const handlerFile = fileURLToPath(new URL('./handler.js', import.meta.url))

async function writeStatic({ buildDir }: AppBuild, { files }: OutputPlan, staticDir: string) {
  await mkdir(staticDir, { recursive: true })
  for (const { from, path: to } of files) await copy(buildDir, from, path.join(staticDir, to))
}

type FunctionTarget = {
  readonly contents: BuildContents
  readonly functionDir: string
  readonly options: VercelOptions & { readonly maxDuration: number }
}

async function writeFunction(
  build: AppBuild,
  { functionFiles }: OutputPlan,
  { contents, functionDir, options }: FunctionTarget,
): Promise<void> {
  const { server, stores, buildDir } = build
  await build.bundle({
    root: path.dirname(handlerFile),
    code: `import * as server from ${JSON.stringify(server)}
import { createHandler } from ${JSON.stringify(handlerFile)}
${stores ? `import { stores } from ${JSON.stringify(stores)}` : 'const stores = {}'}
const contents = JSON.parse(${JSON.stringify(JSON.stringify(contents))})
const maxDuration = ${options.maxDuration}
export default await createHandler({ server, stores, contents, folder: import.meta.dirname, maxDuration })
`,
    outDir: functionDir,
    output: { entryFileNames: 'index.js' },
  })
  for (const file of functionFiles) await copy(buildDir, file, path.join(functionDir, file))
  await writeJson(path.join(functionDir, 'package.json'), { type: 'module' })
  await writeJson(path.join(functionDir, '.vc-config.json'), functionConfig(options))
}

/** Returns the function's `.vc-config.json`. */
function functionConfig({ maxDuration, regions, memory }: FunctionTarget['options']) {
  return {
    runtime: nodeRuntime(process.versions.node),
    handler: 'index.js',
    launcherType: 'Nodejs',
    // Vercel's helpers would read the body before the app does.
    shouldAddHelpers: false,
    shouldAddSourcemapSupport: false,
    supportsResponseStreaming: true,
    maxDuration,
    ...(regions ? { regions } : {}),
    ...(memory === undefined ? {} : { memory }),
  }
}

/** Returns Vercel's name for the version of Node that builds, or for the next version that it has. */
function nodeRuntime(version: string): string {
  const major = Number.parseInt(version, 10)
  const offered = [20, 22, 24].find((each) => each >= major) ?? 24
  return `nodejs${offered}.x`
}

/** Returns the output's `config.json`. */
function outputConfig({ root, buildDir }: AppBuild, { routes, files }: OutputPlan) {
  return {
    version: 3,
    routes,
    overrides: Object.fromEntries(
      files.map((file) => [file.path, { contentType: file.contentType }]),
    ),
    // Keep the build for the next one, which adds the assets of this one to its own.
    cache: [`${path.relative(root, buildDir).replaceAll(path.sep, '/')}/**`],
  }
}

async function copy(buildDir: string, file: string, target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true })
  await cp(path.join(buildDir, file), target)
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`)
}
