import { type ESTree, Visitor } from 'vite'
import type { Finding, Insertion } from './plan.ts'

const functions = new Set(['cookies', 'headers', 'draftMode'])
const props = new Set(['params', 'searchParams'])
const routeFile = /(?:^|\/)(?:page|layout|route|template|default|[\w-]+-image\d*)\.[cm]?[jt]sx?$/

/**
 * Finds code that uses a promise like a value, such as `cookies().get()` or `params.slug`, in apps
 * for versions before 15.
 * @returns insertions of `await` in async functions, and findings for all other places
 */
export function findSyncRequests(
  file: string,
  program: ESTree.Program,
  lineAt: (offset: number) => number,
): { readonly insertions: readonly Insertion[]; readonly findings: readonly Finding[] } {
  const lines = new Map<number, string>()
  const insertions: Insertion[] = []
  const areAsync: boolean[] = []
  const enter = ({ async }: { readonly async: boolean }) => void areAsync.push(async)
  const leave = () => void areAsync.pop()
  const name = (node: ESTree.Node, what: string) => {
    lines.set(lineAt(node.start), `${what} a promise. Await it in an async function.`)
  }
  const addAwait = (node: ESTree.Node, what: string) => {
    if (!areAsync.at(-1)) return name(node, what)
    insertions.push({ at: node.start, text: '(await ' }, { at: node.end, text: ')' })
  }
  const isRead = requestFunctions(program)
  const isProp = (node: ESTree.Node): node is ESTree.IdentifierReference =>
    routeFile.test(file) && node.type === 'Identifier' && props.has(node.name)
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
      if (isProp(object) && !awaited.has(object.name)) addAwait(object, `${object.name} is`)
    },
    VariableDeclarator({ id, init }) {
      if (!init) return
      if (isRead(init)) addAwait(init, functionText)
      if (id.type === 'ObjectPattern' && isProp(init) && !awaited.has(init.name))
        addAwait(init, `${init.name} is`)
    },
    // Destructured params, as in `function Page({ params: { slug } })`
    Property({ key, value }) {
      if (value.type === 'ObjectPattern' && isProp(key)) name(key, `${key.name} is`)
    },
  }).visit(program)
  const findings = [...lines].map(([line, text]) => ({ kind: 'change' as const, file, line, text }))
  return { insertions, findings }
}

/** Inserts strings at their offsets. */
export function insertAll(code: string, insertions: readonly Insertion[]): string {
  return insertions
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, text: put }) => text.slice(0, at) + put + text.slice(at), code)
}

/**
 * @returns a function that returns true for calls to functions that read the request, such as
 * `cookies()`
 */
function requestFunctions({ body }: ESTree.Program): (node: ESTree.Node) => boolean {
  const names = new Set(
    body.flatMap((node) =>
      node.type === 'ImportDeclaration' && /^next\/headers(?:\.js)?$/.test(node.source.value)
        ? node.specifiers.map(({ local }) => local.name)
        : [],
    ),
  )
  return (node) =>
    node.type === 'CallExpression' &&
    node.callee.type === 'Identifier' &&
    functions.has(node.callee.name) &&
    names.has(node.callee.name)
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
