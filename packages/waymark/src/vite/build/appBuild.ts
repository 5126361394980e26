import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import type { BuildContents, BuildFile, BuildPage } from '../../builds/buildContents.ts'
import { type BuildManifest, buildLayout } from '../../builds/buildManifest.ts'
import type { PrerenderedFile } from '../../builds/cachedPage.ts'
import { encodePathname } from '../../http/pathnames.ts'
import type { HeaderLines } from '../../http/response.ts'
import { readNamesOfEnvFiles } from '../../node/env.ts'
import { listFiles, readPrerenderedManifest } from '../../node/static/manifest.ts'
import { createFileEntry, createPageEntry, type StaticFile } from '../../node/static/staticFile.ts'
import type { AppBuild, HostProgram } from '../config/hostAdapter.ts'
import { serveVirtual } from '../config/virtualModule.ts'
import { isPrivateBuild } from './buildModule.ts'

export type DescribedApp = {
  readonly root: string
  readonly buildDir: string
  readonly basePath: string
  readonly trailingSlash: boolean
  /** Header lines for files, with lower-case names. */
  readonly defaultHeaders: HeaderLines
  readonly manifest: Pick<
    BuildManifest,
    'buildId' | 'routes' | 'serverFeatures' | 'externals' | 'mode'
  >
  readonly usedFeatures: AppBuild['usedFeatures']
}

/** Describes a build for adapters. */
export function describeAppBuild(app: DescribedApp): AppBuild {
  const { root, buildDir, basePath, trailingSlash, manifest } = app
  const server = path.join(buildDir, buildLayout.serverEntry)
  return {
    root,
    buildDir,
    buildId: manifest.buildId,
    basePath,
    trailingSlash,
    server,
    // The build writes this file after it creates the description, so look for it as late as
    // possible.
    get stores() {
      const file = path.join(buildDir, buildLayout.runtime)
      return existsSync(file) ? file : null
    },
    routes: manifest.routes,
    serverFeatures: manifest.serverFeatures,
    usedFeatures: app.usedFeatures,
    externals: manifest.externals,
    envNames: readNamesOfEnvFiles(root, manifest.mode),
    contents: () => readContents(app),
    isPrivate: () => isPrivateBuild(path.dirname(server)),
    bundle: bundleProgram,
  }
}

function readContents({ buildDir, defaultHeaders }: DescribedApp): BuildContents {
  const manifestFile = path.join(buildDir, buildLayout.prerendered)
  const { files, shells = {}, notFound, guarded = [] } = readPrerenderedManifest(manifestFile)
  const guardedPathnames = new Set(guarded)
  const existing = new Set(listFiles(buildDir).map((file) => path.join(buildDir, file)))
  const exists = (file: string) => existing.has(file)
  const describe = (entry: StaticFile, isGuarded: boolean): BuildFile => {
    const [plain, ...compressed] = entry.renditions
    return {
      ...describeBytes(buildDir, plain.path),
      status: entry.status,
      headers: entry.headers,
      compressed: Object.fromEntries(
        compressed.map((each) => [each.encoding, describeBytes(buildDir, each.path)]),
      ),
      isGuarded,
    }
  }
  const describePage = (pathname: string, page: PrerenderedFile): BuildPage => {
    const entry = createPageEntry(page, path.join(buildDir, page.file), exists)
    return {
      ...describe(entry, guardedPathnames.has(pathname)),
      life: page.life ?? null,
      handlerOnHeaders: entry.handlerOnHeaders,
      hasCustomCaching: page.hasCustomCaching ?? false,
    }
  }
  const clientDir = path.join(buildDir, buildLayout.client)
  const clientFiles = listFiles(clientDir).map((file): [string, StaticFile] => {
    const pathname = encodePathname(`/${file}`)
    const options = { headers: defaultHeaders, exists }
    return [pathname, createFileEntry(pathname, path.join(clientDir, file), options)]
  })
  const siblings = new Set(
    clientFiles.flatMap(([, { renditions }]) => renditions.slice(1).map((each) => each.path)),
  )
  const served = clientFiles.filter(([, { renditions }]) => !siblings.has(renditions[0].path))
  return {
    builtAtMs: statSync(manifestFile, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    files: Object.fromEntries(
      served.map(([pathname, entry]) => [
        pathname,
        describe(entry, guardedPathnames.has(pathname)),
      ]),
    ),
    pages: Object.fromEntries(
      Object.entries(files).map(([pathname, page]) => [pathname, describePage(pathname, page)]),
    ),
    shells,
    notFound: notFound && describePage('', notFound),
  }
}

/** Computes the same entity tag and date as the Node server. */
function describeBytes(buildDir: string, file: string) {
  const bytes = readFileSync(file)
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return {
    file: path.relative(buildDir, file).replaceAll(path.sep, '/'),
    etag: `"${tag}"`,
    modifiedAtMs: statSync(file).mtimeMs,
    size: bytes.byteLength,
  }
}

const entryId = 'virtual:waymark/program'

async function bundleProgram(program: HostProgram): Promise<void> {
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
        // Export only what the program's own code exports. By default, the bundler adds exports for
        // other chunks, and hosts such as workerd refuse such a program.
        preserveEntrySignatures: 'strict',
        experimental: { attachDebugInfo: 'none' },
        output,
      },
    },
    ssr: { noExternal: true },
  })
}
