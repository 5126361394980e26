import path from 'node:path'
import { type ESTree, loadEnv, type Plugin, parseSync, runnerImport } from 'vite'
import type { NextConfig } from './nextConfig.ts'

/**
 * Evaluates `next.config.*`: a module or CommonJS, an object, a promise, or a function.
 * @param file absolute
 * @throws Error for a file that can't be run, and for one that has no configuration
 */
export async function loadConfig(file: string): Promise<NextConfig> {
  const name = path.basename(file)
  setVariables(path.dirname(file))
  // Code that asks for no database at build tells a build by it.
  if (process.env.NODE_ENV === 'production') process.env.NEXT_PHASE ??= phaseOf()
  // Wrappers of configurations name their aliases by the bundler that they believe to run.
  process.env.TURBOPACK ??= '1'
  try {
    const { module } = await runnerImport<{ default?: unknown }>(file, {
      plugins: [commonJsPlugin],
      resolve: { tsconfigPaths: true },
    })
    const config = await callConfig(exportedBy(module.default))
    if (typeof config === 'object' && config !== null) return config as NextConfig
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${name} can't be read: ${why}`, { cause: error })
  }
  throw new Error(`${name} has no object, and no function that returns one, as its default export.`)
}

/** What a compiler made of a module's default export. */
function exportedBy(exported: unknown): unknown {
  const compiled = exported as { __esModule?: boolean; default?: unknown } | null | undefined
  return compiled?.__esModule ? compiled.default : exported
}

/** What functions of configurations read of the default one. */
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

/** Configurations read the variables of `.env` files, before anybody else does. */
function setVariables(root: string): void {
  const mode = process.env.NODE_ENV === 'production' ? 'production' : 'development'
  for (const [name, value] of Object.entries(loadEnv(mode, root, ''))) process.env[name] ??= value
}

/** Gives the configuration, and files that it imports, what CommonJS has, whatever `type` says. */
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

/** @param file absolute */
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
  // On one line: those of the file stay where they are.
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
