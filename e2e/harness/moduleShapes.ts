/**
 * A module in one of the formats that packages use, with the names that can be imported from it.
 */
export type ModuleShape = {
  readonly name: string
  /** Files of the package, by path relative to the package's folder. */
  readonly files: Readonly<Record<string, string>>
  readonly manifest?: Readonly<Record<string, unknown>>
  /** Export names that Node detects without running the module. */
  readonly names: readonly string[]
  /** Export names that exist only once the module has run. Node refuses to import these names. */
  readonly runtimeNames?: Readonly<Record<string, string>>
  /** The part of the import specifier after the package's name. */
  readonly path?: string
  readonly isJson?: boolean
  /** True if the module uses Node's built-in modules. */
  readonly isServerOnly?: boolean
  /** Places in which the module is tested. By default, it is tested in all of them. */
  readonly places?: readonly Place[]
  /** Value of the default import when bundlers see an importer whose `type` is not `module`. */
  readonly compiledDefault?: string
}

const compiled = `"use strict"
Object.defineProperty(exports, "__esModule", { value: true })
`

/**
 * Module formats. Each is tested in `node_modules`, in a linked folder and, if a single file can
 * have the format, in the app.
 */
export const moduleShapes: readonly ModuleShape[] = [
  {
    name: 'common-object',
    files: {
      'index.js': "const second = () => 'b'\nexports.first = 'a'\nexports.second = second\n",
    },
    names: ['first', 'second'],
  },
  {
    name: 'common-function',
    files: {
      'index.js': "module.exports = function greet() { return 'hi' }\nmodule.exports.extra = 'c'\n",
    },
    names: ['extra'],
  },
  {
    name: 'common-class',
    files: { 'index.cjs': 'class Greeter {}\nmodule.exports = { Greeter }\n' },
    manifest: { main: 'index.cjs', type: 'module' },
    names: ['Greeter'],
  },
  {
    name: 'common-late',
    files: {
      'index.js': `;(function () {
  for (const name of ['first', 'last']) (module.exports ??= {})[name] = name
}.call(this))
`,
    },
    names: [],
    runtimeNames: { first: '"first"', last: '"last"' },
  },
  {
    name: 'common-requires',
    files: {
      'index.js': `const path = require('node:path')
let optional = 'missing'
try {
  optional = require('a-driver-that-nobody-has')
} catch (error) {
  optional = error.code
}
exports.version = require('./package.json').version
exports.inner = require('./inner.js').word
exports.folder = typeof __dirname === 'string' && path.basename(__filename)
exports.optional = optional
exports.lazy = () => require('./lazy.js')
exports.self = this === exports
`,
      'inner.js': "exports.word = 'inner'\n",
      'lazy.js': "module.exports = 'lazy'\n",
    },
    names: ['version', 'inner', 'optional', 'lazy', 'self'],
    isServerOnly: true,
  },
  {
    // This module loads a driver on the first use, and fails if the driver is not installed.
    name: 'common-driver',
    files: {
      'index.js': `const load = () => require('a-driver-that-nobody-has/callback')
const driver = () => {
  try {
    return load()
  } catch (error) {
    return error.code
  }
}
exports.first = driver
exports.second = driver
`,
    },
    names: ['first', 'second'],
    isServerOnly: true,
    places: ['installed'],
  },
  {
    name: 'common-data',
    files: {
      'lib/index.js': `const fs = require('node:fs')
const path = require('node:path')
exports.word = () => fs.readFileSync(path.join(__dirname, '../data/word.txt'), 'utf8')
exports.code = () => require(path.join(__dirname, fs.readFileSync(require.resolve('./name.txt'), 'utf8')))()
`,
      'lib/name.txt': './run.js',
      'lib/index.d.ts': 'export function word(): string\n',
      'lib/run.js': "module.exports = () => 'ran'\n",
      'data/word.txt': 'read',
    },
    manifest: { main: 'lib/index.js' },
    names: ['word', 'code'],
    isServerOnly: true,
    places: ['installed'],
  },
  {
    name: 'module-data',
    files: {
      'lib/index.js': `import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
const folder = dirname(fileURLToPath(import.meta.url))
const require = createRequire(import.meta.url)
const { url } = import.meta
const name = () => JSON.parse(readFileSync(join(folder, 'name.json'), 'utf8'))
export const byUrl = () => readFileSync(new URL('../data/word.txt', import.meta.url), 'utf8')
export const byFolder = () => readFileSync(join(folder, '../data/word.txt'), 'utf8')
export const byPart = () => readFileSync(new URL('../data/word.txt', url), 'utf8')
export const byRequire = () => require(name())() + ', ' + require('../package.json').version
export const byResolve = () => readFileSync(require.resolve('../data/word.txt'), 'utf8')
export const byDirname = () => readFileSync(join(import.meta.dirname, '../data/word.txt'), 'utf8')
export const byMetaResolve = () => readFileSync(new URL(import.meta.resolve('../data/word.txt')), 'utf8')
export const byFilename = () => dirname(import.meta.filename) === import.meta.dirname
`,
      'lib/name.json': '"./run.cjs"',
      'lib/run.cjs': "module.exports = () => 'ran'\n",
      'data/word.txt': 'read',
    },
    manifest: { type: 'module', exports: './lib/index.js' },
    names: [
      'byUrl',
      'byFolder',
      'byPart',
      'byRequire',
      'byResolve',
      'byDirname',
      'byMetaResolve',
      'byFilename',
    ],
    isServerOnly: true,
    places: ['installed'],
  },
  {
    name: 'compiled-names',
    files: { 'index.js': `${compiled}exports.hello = () => 'hello'\n` },
    names: ['hello'],
  },
  {
    name: 'compiled-default',
    files: { 'index.js': `${compiled}exports.default = () => 'default'\n` },
    names: [],
    compiledDefault: '"default()"',
  },
  {
    name: 'compiled-both',
    files: {
      'index.js': `${compiled}exports.hello = 'hello'\nexports.default = () => 'both'\n`,
    },
    names: ['hello'],
    compiledDefault: '"both()"',
  },
  {
    name: 'compiled-star',
    files: {
      'index.js': `${compiled}var __exportStar = function (m, e) { for (var p in m) if (p !== "default" && !Object.prototype.hasOwnProperty.call(e, p)) e[p] = m[p] }
__exportStar(require("./inner"), exports)
`,
      'inner.js': `${compiled}exports.inner = 'inner'\n`,
    },
    names: ['inner'],
  },
  {
    name: 'common-again',
    files: {
      'index.js': "module.exports = require('./inner')\n",
      'inner.js': "exports.inner = 'inner'\n",
    },
    names: ['inner'],
  },
  {
    name: 'module-both',
    files: { 'index.js': "export const hello = 'hello'\nexport default () => 'module'\n" },
    manifest: { type: 'module' },
    names: ['hello'],
  },
  {
    name: 'module-names',
    files: {
      'index.mjs': "export * from './inner.mjs'\n",
      'inner.mjs': "export const hello = 'hello'\n",
    },
    manifest: { exports: './index.mjs' },
    names: ['hello'],
  },
  {
    name: 'module-of-common',
    files: {
      'index.js': "import inner, { word } from './inner.cjs'\nexport { word, inner as default }\n",
      'inner.cjs': `${compiled}exports.word = 'word'\nexports.default = 'default of inner'\n`,
    },
    manifest: { type: 'module' },
    names: ['word'],
  },
  {
    name: 'dual',
    files: {
      'index.mjs': "export const from = 'import'\nexport default 'default of import'\n",
      'index.cjs': `${compiled}exports.from = 'require'\nexports.default = 'default of require'\n`,
    },
    manifest: { exports: { '.': { import: './index.mjs', require: './index.cjs' } } },
    names: ['from'],
  },
  {
    name: 'json',
    files: { 'data.json': '{ "word": "of JSON" }\n' },
    names: [],
    path: '/data.json',
    isJson: true,
  },
]

export const places = ['installed', 'linked', 'own'] as const
export type Place = (typeof places)[number]

/**
 * Returns the specifier with which the app imports a module from a package or from its own files.
 */
export function specifierOf(shape: ModuleShape, place: Place): string {
  if (place !== 'own') return `${place}-${shape.name}${shape.path ?? ''}`
  const { manifest = {}, files } = shape
  const [first = 'index.js'] = Object.keys(files)
  const entry = typeof manifest.main === 'string' ? manifest.main : first
  return `../../lib/${shape.name}/${entry}`
}

/** Returns the files of all modules in all places, by path relative to the app's root. */
export function shapeFiles(): Record<string, string> {
  const folders = { installed: 'node_modules/installed-', linked: 'linked/', own: 'lib/' }
  return Object.fromEntries(
    moduleShapes.flatMap((shape) =>
      places.flatMap((place) => {
        const folder = `${folders[place]}${shape.name}`
        const named = { name: `${place}-${shape.name}`, version: '1.2.3', ...shape.manifest }
        const files = { ...shape.files, 'package.json': JSON.stringify(named) }
        return Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text])
      }),
    ),
  )
}

/**
 * Returns links from `node_modules` to linked packages, as package managers create them for
 * workspaces.
 */
export function shapeLinks(): Record<string, string> {
  return Object.fromEntries(
    moduleShapes.map(({ name }) => [`node_modules/linked-${name}`, `linked/${name}`]),
  )
}

/**
 * True if browsers can load the module. In development, browsers load CommonJS only from
 * `node_modules`, because Vite bundles the packages there.
 */
export function isForBrowsers({ name, isServerOnly }: ModuleShape, place: Place): boolean {
  const hasCommon = /^(?:common|compiled|module-of-common)/.test(name)
  return !isServerOnly && (place === 'installed' || !hasCommon)
}

const hasNoDefault = new Set(['module-names', 'module-data'])

type Imported = { readonly forBrowsers: boolean; readonly hasRuntimeNames: boolean }

/**
 * Writes a module that imports all of the tested modules and exports a description of their values.
 */
export function importingModule({ forBrowsers, hasRuntimeNames }: Imported): string {
  const imports = places.flatMap((place) =>
    moduleShapes
      .filter((shape) => shape.places?.includes(place) ?? true)
      .filter((shape) => !forBrowsers || isForBrowsers(shape, place))
      .map((shape, index) => {
        const { name, names, runtimeNames = {}, isJson } = shape
        const defaults = hasNoDefault.has(name) ? [] : ['default']
        const imported = [
          ...defaults,
          ...names,
          ...(hasRuntimeNames ? Object.keys(runtimeNames) : []),
        ]
        const local = (each: string) => `${each}_${place}${index}`
        const list = imported.map((each) => `${each} as ${local(each)}`).join(', ')
        const values = imported.map((each) => `${each}: describe(${local(each)})`).join(', ')
        const attribute = isJson ? " with { type: 'json' }" : ''
        return {
          line: `import { ${list} } from '${specifierOf(shape, place)}'${attribute}\n`,
          entry: `  '${place} ${name}': { ${values} },\n`,
        }
      }),
  )
  return `${imports.map(({ line }) => line).join('')}
function describe(value) {
  if (typeof value === 'function') {
    return value.toString().startsWith('class') ? 'class' : value() + '()'
  }
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).filter((name) => name !== '__esModule').sort()
  return Object.fromEntries(names.map((name) => [name, describe(value[name])]))
}

export const facts = {
${imports.map(({ entry }) => entry).join('')}}
`
}
