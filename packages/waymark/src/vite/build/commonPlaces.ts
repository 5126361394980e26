import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, realpath, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { type ESTree, normalizePath, type Plugin, parseSync, Visitor } from 'vite'
import { parseCommon } from '../internals/commonModules.ts'
import { findUpwards } from '../internals/stableNames.ts'

export type CommonPlaces = {
  readonly plugins: Plugin[]
  /**
   * Copies into the build any packages that read files from their own folder.
   *
   * @param named folders of packages that must be copied to work; their dependencies are copied, too
   * @param installed names of packages that must be installed on the server instead
   */
  copyPackages(named: readonly string[], installed: readonly string[]): Promise<void>
}

export type PlaceFolders = {
  readonly root: string
  /** Absolute path of the build's folder. */
  readonly buildDir: string
}

// Names of placeholder functions. Each call is replaced once it is known which file of the build
// contains it.
const placeMark = '__waymark_place__'
const nativeRequire = '__waymark_require__'
const urlMark = '__waymark_url__'
const placeCall = new RegExp(`(${placeMark}|${urlMark})\\("([^"]*)"\\)`, 'g')
const placeNames = /\b__(?:dirname|filename)\b|\brequire\s*\(\s*[^\s"']|\brequire\.resolve\b/
const declaredNames = /\b(?:const|let|var|function)\s+__(?:dirname|filename)\b/
const declaredRequire =
  /\bfunction\b[^(]*\([^)]*\brequire\b|\b(?:const|let|var|function)\s+require\b/
const startsFiles = /\bWorker\b|\bchild_process\b/
const loadsModules = /\bcreateRequire\b|\bimport\.meta\.resolve\b/
// Matches modules in packages, but not in Waymark's own, which find their files relative to the
// build.
const packageModule =
  /\/node_modules\/(?!(?:waymark|@waymark\/[^/]+)\/)(?:.(?!\/node_modules\/))*\.m?js(?:$|\?)/

/**
 * Gives bundled CommonJS modules their `__filename` and `__dirname`, and ES modules of packages
 * their `import.meta.url`. For a package, the paths lead to a copy of the package inside the build.
 * For other files, they lead to the source.
 *
 * @see docs/decisions/server-packages.md
 */
export function createCommonPlaces(folders: () => PlaceFolders): CommonPlaces {
  /**
   * Files that use their own path. `true` if the file may run other files in its package, which
   * then needs its dependencies, too.
   */
  const files = new Map<string, boolean>()
  const packages = new Map<string, boolean>()
  const addPackage = (file: string) => {
    const folder = packageFolder(file)
    if (folder !== null) packages.set(folder, packages.get(folder) || (files.get(file) ?? false))
  }
  const nameOf = (file: string) =>
    JSON.stringify(normalizePath(path.relative(folders().root, file)))
  /**
   * Replaces the uses of `import.meta`. Marked as pure, so that the bundler can remove them
   * together with unused code.
   */
  const withPlaces = (code: string, uses: readonly MetaUse[], file: string) => {
    const url = `/* @__PURE__ */ ${urlMark}(${nameOf(file)})`
    const filename = `/* @__PURE__ */ ${placeMark}(${nameOf(file)})`
    const dirname = `/* @__PURE__ */ ${placeMark}(${nameOf(path.posix.dirname(file))})`
    // Resolve packages from the bundle: its parent folder contains the copied packages.
    const resolve = `((name) => /^\\.{0,2}\\//.test(name) ? new globalThis.URL(name, ${url}).href : import.meta.resolve(name))`
    const places = { url, filename, dirname, resolve }
    const whole = `({ ...import.meta, url: ${url}, filename: ${filename}, dirname: ${dirname}, resolve: ${resolve} })`
    const parts: string[] = []
    let end = 0
    for (const use of uses) {
      const place = use.property === null ? whole : places[use.property]
      parts.push(code.slice(end, use.start), place)
      end = use.end
    }
    return parts.join('') + code.slice(end)
  }
  return {
    plugins: [
      {
        name: 'waymark:common-places',
        apply: 'build',
        applyToEnvironment: isServer,
        transform: {
          filter: { id: { include: /\.c?js(?:$|\?)/, exclude: /^\0/ }, code: placeNames },
          handler(code, id) {
            const file = normalizePath(id.replace(/\?.*$/, ''))
            const program = declaredNames.test(code) ? null : parseCommon(code, file)
            if (program === null) return null
            const requires = declaredRequire.test(code) ? [] : runtimeRequires(program)
            if (requires.length === 0 && !/\b__(?:dirname|filename)\b/.test(code)) return null
            files.set(file, requires.length > 0 || startsFiles.test(code))
            const folder = '__filename.replace(/[\\\\/][^\\\\/]*$/, "")'
            const names = [`__filename = ${placeMark}(${nameOf(file)})`, `__dirname = ${folder}`]
            if (requires.length > 0) {
              names.push(
                `${nativeRequire} = globalThis.process?.getBuiltinModule?.('node:module').createRequire(__filename)`,
              )
            }
            return {
              code: `var ${names.join(', ')};${withNativeRequire(code, requires)}`,
              map: null,
            }
          },
        },
      },
      {
        name: 'waymark:module-places',
        apply: 'build',
        applyToEnvironment: isServer,
        transform: {
          filter: { id: { include: packageModule, exclude: /^\0/ }, code: /\bimport\.meta\b/ },
          handler(code, id) {
            const file = normalizePath(id.replace(/\?.*$/, ''))
            const uses = metaUses(code, file)
            if (uses.length === 0) return null
            const needsDependencies = loadsModules.test(code) || startsFiles.test(code)
            files.set(file, needsDependencies)
            files.set(path.posix.dirname(file), needsDependencies)
            return { code: withPlaces(code, uses, file), map: null }
          },
        },
      },
      {
        name: 'waymark:places',
        apply: 'build',
        applyToEnvironment: isServer,
        renderChunk: {
          filter: { code: placeCall },
          handler(code, { fileName }, { dir }) {
            const { root } = folders()
            const from = path.dirname(path.join(dir ?? '', fileName))
            const replaced = code.replaceAll(placeCall, (_call, mark: string, name: string) => {
              const file = normalizePath(path.join(root, name))
              addPackage(file)
              const url = JSON.stringify(
                normalizePath(path.relative(from, placeOf(file, folders()))),
              )
              const fileUrl = `new globalThis.URL(${url}, import.meta.url)`
              const isFile = "import.meta.url?.startsWith('file:')"
              if (mark === urlMark) return `(${isFile} ? ${fileUrl}.href : import.meta.url)`
              // Read `process` from `globalThis`, because a module may have its own variable with
              // this name. Workers have no `process` and no files.
              const module = "globalThis.process?.getBuiltinModule?.('node:url')"
              return `(${module} && ${isFile} ? ${module}.fileURLToPath(${fileUrl}) : ${JSON.stringify(`/${name}`)})`
            })
            return { code: replaced, map: null }
          },
        },
      },
    ],
    async copyPackages(named, installed) {
      const { buildDir } = folders()
      await rm(path.join(buildDir, 'node_modules'), { recursive: true, force: true })
      const all = new Set<string>()
      const links = new Map<string, string>()
      /** Packages outside of `node_modules`, such as members of a workspace, and their links. */
      const outside = new Map<string, string>()
      for (const folder of named) {
        const source = normalizePath(await realpath(folder))
        await addWithDependencies(source, all, installed)
        if (source === folder) continue
        if (packageFolder(source) === null) outside.set(source, folder)
        else links.set(folder, source)
      }
      for (const [folder, needsDependencies] of packages) {
        if (needsDependencies) await addWithDependencies(folder, all, installed)
        else all.add(folder)
      }
      for (const folder of all) {
        const link = outside.get(folder)
        const filter = (file: string) =>
          file === folder ||
          (isForRunning(path.basename(file)) &&
            // The sources of a package may contain secrets in `.env` files.
            (link === undefined || !path.basename(file).startsWith('.')))
        const options = { recursive: true, dereference: true, filter }
        await cp(folder, placeOf(link ?? folder, folders()), options)
      }
      // If `node_modules` contains links, also copy the dependencies that are next to a link's
      // target.
      for (const [folder, source] of links) {
        const link = placeOf(folder, folders())
        const target = path.relative(path.dirname(link), placeOf(source, folders()))
        await mkdir(path.dirname(link), { recursive: true })
        await symlink(target, link, 'junction')
      }
    },
  }
}

/** False for files that no program reads: types, source maps and documentation. */
function isForRunning(name: string): boolean {
  // TypeScript itself reads its `lib.*.d.ts` files.
  const isTypes = /\.d\.[cm]?ts$/.test(name) && !name.startsWith('lib.')
  return name !== 'node_modules' && !isTypes && !/\.(?:map|md|markdown)$/i.test(name)
}

function isServer({ name }: { readonly name: string }): boolean {
  return name === 'rsc' || name === 'ssr'
}

type MetaUse = {
  /** `null` if the code uses the whole `import.meta`, as in `const { url } = import.meta`. */
  readonly property: 'url' | 'filename' | 'dirname' | 'resolve' | null
  readonly start: number
  readonly end: number
}

/**
 * Finds the uses of `import.meta` that depend on the module's path.
 *
 * @returns the uses in the order in which they appear in the code
 */
function metaUses(code: string, file: string): MetaUse[] {
  const { program, errors } = parseSync(file, code, { lang: 'js', sourceType: 'module' })
  if (errors.length > 0) return []
  const uses: MetaUse[] = []
  const read = new Set<number>()
  new Visitor({
    MemberExpression({ object, property, computed, start, end }) {
      if (computed || object.type !== 'MetaProperty' || property.type !== 'Identifier') return
      read.add(object.start)
      switch (property.name) {
        case 'url':
        case 'filename':
        case 'dirname':
        case 'resolve':
          uses.push({ property: property.name, start, end })
      }
    },
    MetaProperty({ meta, start, end }) {
      if (meta.name === 'import' && !read.has(start)) uses.push({ property: null, start, end })
    },
  }).visit(program)
  return uses.sort((a, b) => a.start - b.start)
}

/**
 * Finds calls to `require` whose argument is computed at run time, and all uses of
 * `require.resolve`.
 */
function runtimeRequires(program: ESTree.Program): number[] {
  const starts: number[] = []
  new Visitor({
    CallExpression({ callee, arguments: [source] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'require') return
      if (source && source.type !== 'Literal') starts.push(callee.start)
    },
    MemberExpression({ object, property }) {
      if (object.type !== 'Identifier' || object.name !== 'require') return
      if (property.type === 'Identifier' && property.name === 'resolve') starts.push(object.start)
    },
  }).visit(program)
  return starts.sort((a, b) => a - b)
}

function withNativeRequire(code: string, starts: readonly number[]): string {
  const parts = [0, ...starts].map((start, index) => {
    const text = code.slice(start, starts[index])
    return index === 0 ? text : nativeRequire + text.slice('require'.length)
  })
  return parts.join('')
}

/**
 * Returns a file's path in the build. In a package, that is its path below the outermost
 * `node_modules`.
 */
function placeOf(file: string, { buildDir }: PlaceFolders): string {
  const index = file.indexOf('/node_modules/')
  return index === -1 ? file : path.join(buildDir, file.slice(index))
}

function packageFolder(file: string): string | null {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? null
}

type Manifest = {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  /** Settings of peer dependencies, such as `optional`. */
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>>
}

async function addWithDependencies(
  folder: string,
  all: Set<string>,
  installed: readonly string[],
): Promise<void> {
  if (all.has(folder)) return
  all.add(folder)
  const manifest = path.join(folder, 'package.json')
  if (!existsSync(manifest)) return
  const { dependencies, optionalDependencies, peerDependenciesMeta }: Manifest = JSON.parse(
    await readFile(manifest, 'utf8'),
  )
  const names = { ...dependencies, ...optionalDependencies, ...peerDependenciesMeta }
  for (const name of Object.keys(names)) {
    if (installed.includes(name) || name.startsWith('@types/')) continue
    const manifestFile = findUpwards(folder, `node_modules/${name}/package.json`)
    if (manifestFile !== null)
      await addWithDependencies(normalizePath(path.dirname(manifestFile)), all, installed)
  }
}
