import { type ESTree, Visitor } from 'vite'
import type { Finding, Insertion } from './plan.ts'

const functions = new Set(['cookies', 'headers', 'draftMode'])
const props = new Set(['params', 'searchParams'])
const routeFile = /(?:^|\/)(?:page|layout|route|template|default|[\w-]+-image\d*)\.[cm]?[jt]sx?$/

/** A function that a route file exports, and that Waymark calls with promises. */
type RouteFunction = {
  readonly node: FunctionNode
  /** Offset at which statements can be inserted. `null` if the body is an expression. */
  readonly bodyStart: number | null
  /** Statements to insert, which wait for parameters. */
  readonly waits: Set<string>
  /**
   * `use` for components that aren't async, because hooks fail after an `await`. `await` makes other
   * functions async.
   */
  readonly by: 'await' | 'use'
  /** True if a call or an `await` was inserted. */
  isWaiting: boolean
}
type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression

/**
 * Finds code that uses a promise like a value, such as `cookies().get()` or `params.slug`, in apps
 * for versions before 15.
 * @returns insertions that wait for the promises, and findings for all places that can't wait, such
 * as client components
 */
export function findSyncRequests(
  file: string,
  { program, code }: { readonly program: ESTree.Program; readonly code: string },
  lineAt: (offset: number) => number,
): { readonly insertions: readonly Insertion[]; readonly findings: readonly Finding[] } {
  const lines = new Map<number, string>()
  const insertions: Insertion[] = []
  const routes = new Map(routeFunctions(file, program).map((route) => [route.node, route]))
  /** The functions around the current node, the innermost last. */
  const around: FunctionNode[] = []
  const enter = (node: FunctionNode) => void around.push(node)
  const leave = () => void around.pop()
  const name = (node: ESTree.Node, what: string) => {
    lines.set(lineAt(node.start), `${what} a promise. Await it in an async function.`)
  }
  const addAwait = (node: ESTree.Node, what: string) => {
    const innermost = around.at(-1)
    const route = innermost && routes.get(innermost)
    if (route) route.isWaiting = true
    if (!route && !innermost?.async) return name(node, what)
    const start = route?.by === 'use' ? 'use(' : '(await '
    insertions.push({ at: node.start, text: start }, { at: node.end, text: ')' })
  }
  const addPropAwait = (node: ESTree.IdentifierReference) => {
    const route = routes.get(around[0] as FunctionNode)
    const isInner = !around.at(-1)?.async
    if (isInner && route && route.bodyStart !== null && hasProp(route.node, node.name)) {
      // The whole function waits first, so that its inner functions can use the value.
      route.waits.add(`${node.name} = ${waitFor(route, node.name)};`)
    } else {
      addAwait(node, `${node.name} is`)
    }
  }
  const isRead = requestFunctions(program)
  const isProp = (node: ESTree.Node): node is ESTree.IdentifierReference =>
    routeFile.test(file) && node.type === 'Identifier' && props.has(node.name)
  // The parameter of a route function as a whole, as in `props.params.slug`
  const isOwnProp = (node: ESTree.Node) => {
    const [first] = routes.get(around[0] as FunctionNode)?.node.params ?? []
    return (
      node.type === 'MemberExpression' &&
      node.object.type === 'Identifier' &&
      first?.type === 'Identifier' &&
      first.name === node.object.name &&
      node.property.type === 'Identifier' &&
      props.has(node.property.name)
    )
  }
  const awaited = awaitedNames(program)
  const functionText = 'cookies(), headers() or draftMode() returns'
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    MemberExpression({ object, property }) {
      if (property.type === 'Identifier' && /^(?:then|catch|finally)$/.test(property.name)) return
      if (isRead(object)) addAwait(object, functionText)
      if (isOwnProp(object)) addAwait(object, 'params or searchParams is')
      if (isProp(object) && !awaited.has(object.name)) addPropAwait(object)
    },
    VariableDeclarator({ id, init }) {
      if (!init) return
      if (isRead(init)) addAwait(init, functionText)
      if (id.type === 'ObjectPattern' && isOwnProp(init))
        addAwait(init, 'params or searchParams is')
      if (id.type === 'ObjectPattern' && isProp(init) && !awaited.has(init.name)) addPropAwait(init)
    },
    // Destructured params, as in `function Page({ params: { slug } })`
    Property({ start, end, key, value }) {
      if (value.type !== 'ObjectPattern' || !isProp(key)) return
      const route = routes.get(around[0] as FunctionNode)
      const isParameter = route?.node.params.some(
        (each) => each.type === 'ObjectPattern' && each.start < start && end < each.end,
      )
      if (!route || route.bodyStart === null || !isParameter) return name(key, `${key.name} is`)
      insertions.push({ at: start, end, text: key.name })
      const pattern = code.slice(value.start, value.end)
      route.waits.add(`const ${pattern} = ${waitFor(route, key.name)};`)
    },
  }).visit(program)
  let isUsed = false
  for (const { node, bodyStart, waits, by, isWaiting } of routes.values()) {
    if (waits.size === 0 && !isWaiting) continue
    if (by === 'use') isUsed = true
    else if (!node.async) insertions.push({ at: node.start, text: 'async ' })
    if (waits.size > 0 && bodyStart !== null)
      insertions.push({ at: bodyStart, text: ` ${[...waits].join(' ')}` })
  }
  if (isUsed && !importsUse(program)) {
    insertions.push({ at: startOfCode(program), text: "import { use } from 'react'; " })
  }
  const findings = [...lines].map(([line, text]) => ({ kind: 'change' as const, file, line, text }))
  return { insertions, findings }
}

/** Inserts strings at their offsets. */
export function insertAll(code: string, insertions: readonly Insertion[]): string {
  return insertions
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, end = at, text: put }) => text.slice(0, at) + put + text.slice(end), code)
}

function waitFor({ by }: RouteFunction, promise: string): string {
  return by === 'use' ? `use(${promise})` : `await ${promise}`
}

function importsUse({ body }: ESTree.Program): boolean {
  return body.some(
    (node) =>
      node.type === 'ImportDeclaration' &&
      node.source.value === 'react' &&
      node.specifiers.some(({ local }) => local.name === 'use'),
  )
}

/** @returns the offset of the first statement after the directives */
function startOfCode({ body }: ESTree.Program): number {
  return body.find((node) => !('directive' in node && node.directive !== null))?.start ?? 0
}

const componentFile = /(?:^|\/)(?:page|layout|template|default)\.[cm]?[jt]sx?$/

/** Returns the functions that a route file exports. Of a client file, only its component counts. */
function routeFunctions(file: string, program: ESTree.Program): RouteFunction[] {
  if (!routeFile.test(file)) return []
  const isClient = program.body.some(
    (node) => 'directive' in node && node.directive === 'use client',
  )
  const functions = new Map<string, FunctionNode>()
  const exported: FunctionNode[] = []
  const names: string[] = []
  let component: FunctionNode | null = null
  let componentName = ''
  const declare = (node: ESTree.Node, isExported: boolean) => {
    for (const [name, each] of declaredFunctions(node)) {
      functions.set(name, each)
      if (isExported) exported.push(each)
    }
  }
  for (const node of program.body) {
    if (node.type === 'ExportDefaultDeclaration') {
      const { declaration } = node
      if (isFunction(declaration)) component = declaration
      if (declaration.type === 'Identifier') componentName = declaration.name
    } else if (node.type === 'ExportNamedDeclaration') {
      if (node.declaration) declare(node.declaration, true)
      for (const { local } of node.specifiers)
        if (local.type === 'Identifier') names.push(local.name)
    } else declare(node, false)
  }
  component ??= functions.get(componentName) ?? null
  const others = [...exported, ...names.flatMap((name) => functions.get(name) ?? [])]
  const isComponent = componentFile.test(file)
  return [...new Set([...(component ? [component] : []), ...(isClient ? [] : others)])].map(
    (node) => ({
      node,
      bodyStart: startOfBody(node),
      by: node === component && isComponent && !node.async ? 'use' : 'await',
      waits: new Set(),
      isWaiting: false,
    }),
  )
}

function declaredFunctions(node: ESTree.Node): (readonly [string, FunctionNode])[] {
  if (node.type === 'FunctionDeclaration' && node.id) return [[node.id.name, node]]
  if (node.type !== 'VariableDeclaration') return []
  return node.declarations.flatMap(({ id, init }) =>
    id.type === 'Identifier' && init && isFunction(init) ? [[id.name, init] as const] : [],
  )
}

function isFunction(node: ESTree.Node): node is FunctionNode {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)
}

/** @returns the offset after the brace and the directives, or `null` if the body is an expression */
function startOfBody({ body }: FunctionNode): number | null {
  if (body?.type !== 'BlockStatement') return null
  const directives = body.body.filter((each) => 'directive' in each && each.directive !== null)
  return directives.at(-1)?.end ?? body.start + 1
}

/** True if a function destructures a parameter into a variable of this name. */
function hasProp({ params }: FunctionNode, name: string): boolean {
  return params.some(
    (parameter) =>
      parameter.type === 'ObjectPattern' &&
      parameter.properties.some(
        (each) =>
          each.type === 'Property' && each.value.type === 'Identifier' && each.value.name === name,
      ),
  )
}

/**
 * @returns a function that returns true for calls to functions that read the request, such as
 * `cookies()`
 */
function requestFunctions({ body }: ESTree.Program): (node: ESTree.Node) => boolean {
  const names = new Set<string>()
  const namespaces = new Set<string>()
  for (const node of body) {
    if (node.type !== 'ImportDeclaration') continue
    if (!/^next\/headers(?:\.js)?$/.test(node.source.value)) continue
    for (const each of node.specifiers) {
      if (each.type !== 'ImportSpecifier') namespaces.add(each.local.name)
      else if (each.imported.type === 'Identifier' && functions.has(each.imported.name))
        names.add(each.local.name)
    }
  }
  return (node) => {
    if (node.type !== 'CallExpression') return false
    const { callee } = node
    if (callee.type === 'Identifier') return names.has(callee.name)
    return (
      callee.type === 'MemberExpression' &&
      callee.object.type === 'Identifier' &&
      namespaces.has(callee.object.name) &&
      callee.property.type === 'Identifier' &&
      functions.has(callee.property.name)
    )
  }
}

/**
 * Returns the names that a file awaits, passes to `use()`, or declares. Anywhere else in the file,
 * these names may be plain values.
 */
function awaitedNames(program: ESTree.Program): Set<string> {
  const names = new Set<string>()
  const add = (node: ESTree.Node | undefined) => {
    if (node?.type === 'Identifier') names.add(node.name)
    if (node?.type === 'MemberExpression' && node.property.type === 'Identifier')
      names.add(node.property.name)
  }
  new Visitor({
    AwaitExpression(node) {
      add(node.argument)
    },
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type === 'Identifier' && callee.name === 'use') add(first)
    },
    VariableDeclarator({ id }) {
      if (id.type === 'Identifier') names.add(id.name)
      if (id.type !== 'ObjectPattern') return
      for (const each of id.properties) {
        if (each.type === 'Property' && each.value.type === 'Identifier') names.add(each.value.name)
      }
    },
  }).visit(program)
  return names
}
