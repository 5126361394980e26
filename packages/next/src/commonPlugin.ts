import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type ESTree, type Plugin, parseSync, Visitor } from 'vite'

// Prefix of plugin-rsc's module for a client component in a package.
const packageProxy = '\0virtual:vite-rsc/client-in-server-package-proxy/'

/**
 * Lets server components use CommonJS client components from packages. plugin-rsc creates a
 * reference for each export, but it only finds the exports of ES modules.
 * @see docs/decisions/next-names.md
 */
export function commonPlugin(): Plugin {
  return {
    name: 'next-names:common',
    enforce: 'pre',
    transform: {
      filter: { id: /\/node_modules\/.*\.c?js(?:$|\?)/, code: /['"]use client['"]/ },
      handler(code, id) {
        if (this.environment.name !== 'rsc') return null
        const names = commonNames(id.replace(/\?.*$/, ''), code)
        const list = names?.map((name) => `component as ${name}`).join(', ')
        return names && { code: `'use client'\nlet component\nexport { ${list} }`, map: null }
      },
    },
    load: {
      order: 'pre',
      filter: { id: new RegExp(`^${packageProxy}`) },
      handler(id) {
        const file = decodeURIComponent(id.slice(packageProxy.length))
        const names = commonNames(file, readFileSync(file, 'utf8'))
        // If the dev server has bundled the package, `export *` exports nothing, so list the names.
        return names && `export { ${names.join(', ')} } from ${JSON.stringify(file)}`
      },
    },
  }
}

/**
 * Returns the names that a CommonJS client component may export. Additional names do no harm, so
 * anything that looks like an export counts.
 * @returns `null` for ES modules, and for files that aren't client components
 */
export function commonNames(file: string, code: string): string[] | null {
  const { program, module, errors } = parseCommon(file, code)
  if (errors.length > 0 || module.hasModuleSyntax) return null
  const isClient = program.body.some(
    (each) => 'directive' in each && each.directive === 'use client',
  )
  if (!isClient) return null
  const names = new Set(['default'])
  addNames(file, program, names, new Set([file]))
  return [...names].filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && !reserved.test(name))
}

// Reserved words, which a client reference can't use as names. `default` is allowed.
const reserved =
  /^(?:arguments|await|break|case|catch|class|const|continue|debugger|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/

function parseCommon(file: string, code: string) {
  return parseSync(file, code, { lang: 'js', sourceType: 'unambiguous' })
}

type Names = Set<string>

function addNames(file: string, program: ESTree.Program, names: Names, seen: Set<string>): void {
  const follow = (node: ESTree.Node) => {
    const source = requiredSource(node)
    if (source !== null) addRequired(file, source, names, seen)
  }
  const addKeys = ({ properties }: ESTree.ObjectExpression) => {
    for (const each of properties) {
      if (each.type === 'SpreadElement') follow(each.argument)
      else names.add(keyOf(each.key, each.computed) ?? '')
    }
  }
  new Visitor({
    MemberExpression({ object, property, computed }) {
      if (isExports(object)) names.add(keyOf(property, computed) ?? '')
    },
    AssignmentExpression({ left, right }) {
      if (!isModuleExports(left)) return
      if (right.type === 'ObjectExpression') addKeys(right)
      else follow(right)
    },
    CallExpression({ arguments: args }) {
      const [target, second] = args
      // Bundlers and compilers write `__export(exports, { A: () => A })`.
      if (second?.type === 'ObjectExpression' && isGetters(second)) addKeys(second)
      // `Object.defineProperty(exports, 'A', …)`
      const key = second ? keyOf(second, true) : null
      // An object with the `__esModule` mark may later become `module.exports`.
      if (target && (isExports(target) || key === '__esModule')) names.add(key ?? '')
      // `__exportStar(require('./a'), exports)`
      if (args.some(isExports)) args.forEach(follow)
    },
  }).visit(program)
}

function addRequired(file: string, source: string, names: Names, seen: Set<string>): void {
  const requiredFile = resolveRequired(file, source)
  if (requiredFile === null || seen.has(requiredFile)) return
  seen.add(requiredFile)
  const { program, module } = parseCommon(requiredFile, readFileSync(requiredFile, 'utf8'))
  if (!module.hasModuleSyntax) addNames(requiredFile, program, names, seen)
  for (const { entries } of module.staticExports) {
    for (const { exportName } of entries) names.add(exportName.name ?? '')
  }
}

function resolveRequired(file: string, source: string): string | null {
  try {
    const resolved = createRequire(file).resolve(source)
    return /\/.*\.[cm]?js$/.test(resolved) ? resolved : null
  } catch {
    return null
  }
}

function requiredSource(node: ESTree.Node): string | null {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return null
  const [first] = node.arguments
  if (node.callee.name === 'require') return first ? keyOf(first, true) : null
  // Also finds `require()` inside a helper, as in `__toESM(require('./a'))`.
  return first ? requiredSource(first) : null
}

function isGetters({ properties }: ESTree.ObjectExpression): boolean {
  return properties.every(
    (each) =>
      each.type === 'Property' &&
      /^(?:Arrow)?FunctionExpression$/.test(each.value.type) &&
      'params' in each.value &&
      each.value.params.length === 0,
  )
}

function isExports(node: ESTree.Node): boolean {
  return (node.type === 'Identifier' && node.name === 'exports') || isModuleExports(node)
}

function isModuleExports(node: ESTree.Node): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'module' &&
    keyOf(node.property, node.computed) === 'exports'
  )
}

function keyOf(node: ESTree.Node, computed: boolean): string | null {
  if (node.type === 'Identifier') return computed ? null : node.name
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : null
}
