import { isBuiltin } from 'node:module'
import path from 'node:path'
import { type ESTree, type Plugin, parseSync, Visitor } from 'vite'
import { ssrExportAllKey, ssrExportNameKey } from 'vite/module-runner'

/** Name of an export that plugin-rsc adds to each CommonJS module that it transforms. */
export const commonMark = '__cjs_module_runner_transform'

/**
 * Lets the dev server run CommonJS modules in the app and in linked packages. plugin-rsc only
 * transforms CommonJS in `node_modules`, while a build bundles it everywhere.
 */
export function commonModulesPlugin(): Plugin {
  return {
    name: 'waymark:common-modules',
    apply: 'serve',
    applyToEnvironment: ({ name }) => name === 'rsc' || name === 'ssr',
    transform: {
      filter: {
        id: { include: /\.c?js(?:$|\?)/, exclude: [/\/node_modules\//, /^\0/] },
        code: /\b(?:require|exports|__dirname|__filename)\b/,
      },
      handler(code, id) {
        const file = id.replace(/\?.*$/, '')
        const { config } = this.environment
        if (file.startsWith(config.cacheDir) || !path.isAbsolute(file)) return null
        const transformed = commonToModule(code, file)
        return transformed && { code: transformed, map: null }
      },
    },
  }
}

export function parseCommon(code: string, file: string): ESTree.Program | null {
  const { program, module, errors } = parseSync(file, code, {
    lang: 'js',
    sourceType: 'unambiguous',
  })
  return errors.length > 0 || module.hasModuleSyntax ? null : program
}

/**
 * Wraps CommonJS in a module for Vite's module runner. Required modules are loaded before the code
 * runs. If a required module can't be loaded, the call to `require` throws, so that the code can
 * catch the error.
 *
 * @returns `null` for an ES module and for code that can't be parsed
 */
export function commonToModule(code: string, file: string): string | null {
  const program = parseCommon(code, file)
  if (program === null) return null
  const loads = requiredSources(program).map(
    (source) =>
      `${source}: await import(${source}).then((value) => ({ value }), (error) => ({ error }))`,
  )
  const fileText = JSON.stringify(file)
  const folder = JSON.stringify(path.dirname(file))
  // Keep the head on one line, so that the code's line numbers don't change.
  const head = [
    'const module = { exports: {} }',
    `${ssrExportNameKey}('default', () => module.exports)`,
    `${ssrExportNameKey}('${commonMark}', () => true)`,
    `const requireNative = process.getBuiltinModule('node:module').createRequire(${fileText})`,
    `const require = (${requireFrom})({ ${loads.join(', ')} }, requireNative, '${commonMark}')`,
    '(function (exports, require, module, __filename, __dirname) {',
  ]
  return `${head.join(';')}${code}
}).call(module.exports, module.exports, require, module, ${fileText}, ${folder});
${ssrExportAllKey}(Object(module.exports));`
}

type Loaded = { readonly value: Readonly<Record<string, unknown>> } | { readonly error: unknown }

/**
 * Creates a module's `require` function. Its source becomes part of the module, so it can't use any
 * names from outside.
 */
function requireFrom(
  loaded: Readonly<Record<string, Loaded>>,
  requireNative: NodeJS.Require,
  mark: string,
): NodeJS.Require {
  const isCommon = (all: Readonly<Record<string, unknown>>) => {
    const { default: exported } = all as { default?: Record<string, unknown> }
    const isSame = (name: string) => name === 'default' || all[name] === exported?.[name]
    return mark in all || ('default' in all && Object.keys(all).every(isSame))
  }
  const require = (id: string) => {
    const dependency = loaded[id]
    if (dependency === undefined) return requireNative(id)
    if ('error' in dependency) {
      const { code } = Object(dependency.error) as { code?: unknown }
      // `import` uses a different error code, so let Node's `require` throw the error.
      if (code === 'ERR_MODULE_NOT_FOUND') return requireNative(id)
      throw dependency.error
    }
    return isCommon(dependency.value) ? dependency.value.default : dependency.value
  }
  return Object.assign(require, requireNative)
}

/**
 * Lists the sources of `require()` calls as written, without duplicates and without Node's built-in
 * modules.
 */
function requiredSources(program: ESTree.Program): string[] {
  const sources = new Set<string>()
  new Visitor({
    CallExpression({ callee, arguments: [source] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'require') return
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return
      if (!isBuiltin(source.value)) sources.add(JSON.stringify(source.value))
    },
  }).visit(program)
  return [...sources]
}
