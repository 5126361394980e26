import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { placeOf } from './missingNamesPlugin.ts'

/** A param of a dynamic folder above a root layout. */
export type RootParam = {
  readonly type: 'string' | 'string[]'
  /** True if every root layout has the param. */
  readonly isEverywhere: boolean
}

const moduleName = 'next/root-params'
const moduleId = `\0${moduleName}`

/**
 * Serves `next/root-params`, a module with a function for each dynamic folder above the root
 * layouts, and writes its types.
 * @param root of the project
 * @param appDir absolute path
 */
export function rootParamsPlugin(root: string, appDir: string): Plugin {
  let written = ''
  const update = () => {
    const text = rootParamTypes(readRootParams(appDir))
    if (text === written) return false
    written = text
    if (existsSync(path.join(root, 'tsconfig.json'))) writeTypes(root, text)
    return true
  }
  return {
    name: 'next-names:root-params',
    enforce: 'pre',
    buildStart() {
      update()
    },
    configureServer(server) {
      const reread = (file: string) => {
        if (!normalizePath(file).startsWith(normalizePath(appDir)) || !update()) return
        for (const { moduleGraph } of Object.values(server.environments)) {
          const module = moduleGraph.getModuleById(moduleId)
          if (module) moduleGraph.invalidateModule(module)
        }
      }
      for (const event of ['add', 'unlink']) server.watcher.on(event, reread)
    },
    resolveId: {
      filter: { id: /^next\/root-params(?:\.js)?$/ },
      handler(id, importer = '') {
        if (this.environment.name === 'rsc') return moduleId
        this.error(
          `${placeOf(importer, id, root)}: ${moduleName} only works in server components. Read the param there and pass it as a prop, or use useParams().`,
        )
      },
    },
    load: {
      filter: { id: new RegExp(`^${moduleId}$`) },
      handler: () => rootParamModule(readRootParams(appDir)),
    },
  }
}

/** Reads the dynamic folders above each root layout. */
export function readRootParams(appDir: string): ReadonlyMap<string, RootParam> {
  const layouts = listRootLayouts(appDir)
  const params = new Map<string, RootParam>()
  for (const [name, type] of layouts.flatMap((layout) => [...layout])) {
    params.set(name, { type, isEverywhere: layouts.every((layout) => layout.has(name)) })
  }
  return params
}

type Folders = ReadonlyMap<string, RootParam['type']>

function listRootLayouts(folder: string, above: Folders = new Map()): Folders[] {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  if (entries.some(({ name }) => /^layout\.[jt]sx?$/.test(name))) return [above]
  const folders = entries.filter((entry) => entry.isDirectory() && !/^[_@.]/.test(entry.name))
  return folders.flatMap(({ name }) => {
    const [, rest, param] = /^\[\[?(\.\.\.)?([^\]]+)\]/.exec(name) ?? []
    const paramsOfFolder: Folders = param
      ? new Map([...above, [param, rest ? 'string[]' : 'string']] as const)
      : above
    return listRootLayouts(path.join(folder, name), paramsOfFolder)
  })
}

function rootParamModule(params: ReadonlyMap<string, RootParam>): string {
  const getters = identifiersOf(params).map(
    ([name]) => `export const ${name} = async () => (await rootParams()).${name}`,
  )
  return ["import { rootParams } from 'waymark/server'", ...getters, 'export {}'].join('\n')
}

/** Returns the type declarations of `next/root-params`. */
export function rootParamTypes(params: ReadonlyMap<string, RootParam>): string {
  const getters = identifiersOf(params).map(
    ([name, { type, isEverywhere }]) =>
      `  export function ${name}(): Promise<${type}${isEverywhere ? '' : ' | undefined'}>\n`,
  )
  return `// Written by Waymark from the folders above the root layouts. Changes are overwritten.
declare module '${moduleName}' {
${getters.join('')}  export {}
}
`
}

function identifiersOf(params: ReadonlyMap<string, RootParam>) {
  return [...params].filter(([name]) => /^[A-Za-z_$][\w$]*$/.test(name))
}

/**
 * Writes the type declarations to a file. An app that has never had root params doesn't get one.
 */
function writeTypes(root: string, text: string): void {
  const file = path.join(root, 'next-root-params.d.ts')
  const existing = existsSync(file) ? readFileSync(file, 'utf8') : null
  const isEmpty = !text.includes('function')
  if (existing === text || (existing === null && isEmpty)) return
  writeFileSync(file, text)
}
