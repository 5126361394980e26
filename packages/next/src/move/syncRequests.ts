import { type ESTree, Visitor } from 'vite'
import type { Finding } from './plan.ts'

const functions = new Set(['cookies', 'headers', 'draftMode'])
const props = new Set(['params', 'searchParams'])
const routeFile = /(?:^|\/)(?:page|layout|route|template|default|[\w-]+-image\d*)\.[cm]?[jt]sx?$/

/**
 * Finds what reads a promise as if it were a value, as apps before version 15 do: `cookies().get()`,
 * `params.slug`.
 */
export function findSyncRequests(
  file: string,
  program: ESTree.Program,
  lineAt: (offset: number) => number,
): Finding[] {
  const lines = new Map<number, string>()
  const add = ({ start }: ESTree.Node, what: string) => {
    const line = lineAt(start)
    lines.set(line, `${what} a promise: write await before it, in an async function.`)
  }
  const isRead = requestFunctions(program)
  const isProp = (node: ESTree.Node): node is ESTree.IdentifierReference =>
    routeFile.test(file) && node.type === 'Identifier' && props.has(node.name)
  const awaited = awaitedNames(program)
  new Visitor({
    MemberExpression(node) {
      const { object, property } = node
      if (property.type === 'Identifier' && /^(?:then|catch|finally)$/.test(property.name)) return
      if (isRead(object)) add(node, 'cookies(), headers() or draftMode() returns')
      if (isProp(object) && !awaited.has(object.name)) add(node, `${object.name} is`)
    },
    VariableDeclarator({ id, init }) {
      if (!init) return
      if (isRead(init)) add(init, 'cookies(), headers() or draftMode() returns')
      if (id.type === 'ObjectPattern' && isProp(init) && !awaited.has(init.name))
        add(init, `${init.name} is`)
    },
    // `function Page({ params: { slug } })`
    Property({ key, value }) {
      if (value.type === 'ObjectPattern' && isProp(key)) add(key, `${key.name} is`)
    },
  }).visit(program)
  return [...lines].map(([line, text]) => ({ kind: 'change', file, line, text }))
}

/** @returns whether a node is a call of what reads the request */
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

/** Names that a file awaits, reads by `use()` or declares: they may be values elsewhere in it. */
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
