import path from 'node:path'
import { type ESTree, loadEnv, type Plugin, parseSync, runnerImport } from 'vite'
import type { NextConfig } from './nextConfig.ts'

/**
 * Evaluates `next.config.*`. The file may be an ES module or a CommonJS module, and may export an
 * object, a promise or a function.
 * @param file absolute path
 * @throws Error if the file can't be run or exports no configuration
 */
export async function loadConfig(file: string): Promise<NextConfig> {
  const name = path.basename(file)
  setVariables(path.dirname(file))
  // Apps check `NEXT_PHASE` before they connect to a database, which they must not do during a
  // build.
  if (process.env.NODE_ENV === 'production') process.env.NEXT_PHASE ??= phaseOf()
  // Configuration wrappers check `TURBOPACK` to choose the form of their aliases.
  process.env.TURBOPACK ??= '1'
  try {
    const config = await callConfig(await importConfig(file))
    if (typeof config === 'object' && config !== null) return config as NextConfig
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${name} can't be read: ${why}`, { cause: error })
  }
  throw new Error(
    `${name} must have an object, or a function that returns an object, as its default export.`,
  )
}

/**
 * Runs a configuration file, which may be an ES module or a CommonJS module.
 * @param file absolute path
 * @returns its default export
 */
export async function importConfig(file: string): Promise<unknown> {
  const { module } = await runnerImport<{ default?: unknown }>(file, {
    plugins: [commonJsPlugin],
    resolve: { tsconfigPaths: true },
  })
  return exportedBy(module.default)
}

/** Returns the default export. A compiler may have put it into a second `default`. */
function exportedBy(exported: unknown): unknown {
  const compiled = exported as { __esModule?: boolean; default?: unknown } | null | undefined
  return compiled?.__esModule ? compiled.default : exported
}

/** Default configuration, which configuration functions get as an argument. */
const defaultConfig = {
  basePath: '',
  trailingSlash: false,
  pageExtensions: ['tsx', 'ts', 'jsx', 'js'],
  env: {},
  experimental: {},
  images: {},
  webpack: null,
}

function callConfig(config: unknown): unknown {
  return typeof config === 'function' ? config(phaseOf(), { defaultConfig }) : config
}

function phaseOf(): string {
  return process.env.NODE_ENV === 'production'
    ? 'phase-production-build'
    : 'phase-development-server'
}

/** Sets the variables in `.env` files, because configurations read them before Vite does. */
function setVariables(root: string): void {
  const mode = process.env.NODE_ENV === 'production' ? 'production' : 'development'
  for (const [name, value] of Object.entries(loadEnv(mode, root, ''))) process.env[name] ??= value
}

/**
 * Makes CommonJS' variables available in the configuration and the files that it imports, whatever
 * the package's `type` is.
 */
const commonJsPlugin: Plugin = {
  name: 'next-names:config',
  enforce: 'pre',
  transform: {
    filter: {
      id: { include: /\.[cm]?[jt]s$/, exclude: /\/node_modules\// },
      code: /\b(?:require|module|exports|__dirname|__filename)\b/,
    },
    handler: (code, id) => ({ code: withCommonJs(code, id), map: null }),
  },
}

/** Adds the variables of CommonJS to a file that uses them. @param file absolute path */
export function withCommonJs(code: string, file: string): string {
  const { program, module } = parseSync(file, code, { sourceType: 'unambiguous' })
  const declared = declaredNames(program)
  const name = JSON.stringify(file)
  const values = {
    require: `$$createRequire(${name})`,
    __filename: name,
    __dirname: JSON.stringify(path.dirname(file)),
    ...(module.hasModuleSyntax ? {} : { module: '{ exports: {} }', exports: 'module.exports' }),
  }
  const declarations = Object.entries(values)
    .filter(([each]) => !declared.has(each))
    .map(([each, value]) => `var ${each} = ${value};`)
  // On the file's first line, the declarations don't change line numbers.
  const before = `import { createRequire as $$createRequire } from 'node:module'; ${declarations.join(' ')}`
  return `${before} ${code}\n${module.hasModuleSyntax ? '' : 'export default module.exports\n'}`
}

function declaredNames({ body }: ESTree.Program): Set<string> {
  const names = body.flatMap((node) => {
    if (node.type === 'ImportDeclaration') return node.specifiers.map(({ local }) => local.name)
    if (node.type !== 'VariableDeclaration') return []
    return node.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  })
  return new Set(names)
}
