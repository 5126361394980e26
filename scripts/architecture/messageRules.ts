import { parseSync } from 'vite'
import { isTestFile } from './importRules.ts'
import { messageReaders } from './messageReaders.ts'
import type { Source } from './source.ts'
import { type Node, walk } from './syntaxTree.ts'

const textMethods = new Set([
  'includes',
  'startsWith',
  'endsWith',
  'match',
  'matchAll',
  'search',
  'indexOf',
  'replace',
])

const patternMethods = new Set(['test', 'exec'])

/** Matches names of variables that contain the output of a different program. */
const messageName = /^(?:message|msg|stdout|stderr)$/

/** Matches names of variables that contain a thrown value. */
const thrownName = /^(?:e|err|error|thrown|reason|cause)$/

/**
 * Finds files that search a message of an error, a log line or a process for a pattern, or that
 * replace a function of `console`. Files that the list gives a reason for are accepted.
 */
export function messageViolations(
  sources: readonly Source[],
  listed: Readonly<Record<string, string>> = messageReaders,
): string[] {
  const readers = sources.filter(isChecked).filter(readsMessage)
  const open = readers
    .filter(({ path }) => !Object.hasOwn(listed, path))
    .map(
      ({ path }) =>
        `${path} searches a message for a pattern. Use a code, a property or a class, or list the file in messageReaders.ts.`,
    )
  const paths = new Set(readers.map(({ path }) => path))
  const unused = Object.keys(listed).filter((path) => !paths.has(path))
  return [...open, ...unused.map((path) => `${path} searches no message. Remove it from the list.`)]
}

function isChecked({ path }: Source): boolean {
  return /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path) && !isTestFile(path)
}

function readsMessage({ path, text }: Source): boolean {
  let isReader = false
  // Vite's parser has more node types than `walk` declares.
  walk(parseSync(path, text).program as unknown as Node, (node) => {
    isReader ||= isPatternSearch(node) || isConsoleReplaced(node)
  })
  return isReader
}

function isPatternSearch(node: Node): boolean {
  if (node.type !== 'CallExpression') return false
  const { object, property } = node.callee as { object?: Node; property?: Node }
  const method = nameOf(property)
  const [first] = node.arguments as Node[]
  if (patternMethods.has(method)) return isMessage(first)
  return textMethods.has(method) && isMessage(object) && !isPlainClean(method, first)
}

/**
 * True for a call such as `message.replace(/\.$/, '')`, which only removes punctuation and decides
 * nothing.
 */
function isPlainClean(method: string, pattern: Node | undefined): boolean {
  const { regex } = (pattern ?? {}) as { regex?: { pattern: string } }
  return method === 'replace' && regex !== undefined && !/[a-z]{3}/i.test(regex.pattern)
}

/**
 * True for `message`, `error.message` and `String(error)`, and for a function call that gets such
 * an expression.
 */
function isMessage(node: Node | undefined): boolean {
  if (!node) return false
  switch (node.type) {
    case 'Identifier':
      return messageName.test(nameOf(node))
    case 'MemberExpression':
      return messageName.test(nameOf(node.property as Node))
    case 'ChainExpression':
      return isMessage(node.expression as Node)
    case 'LogicalExpression':
      return isMessage(node.left as Node)
    case 'ConditionalExpression':
      return isMessage(node.consequent as Node) || isMessage(node.alternate as Node)
    case 'CallExpression': {
      const [first] = node.arguments as Node[]
      const isOfThrown = nameOf(node.callee) === 'String' && thrownName.test(nameOf(first))
      return isOfThrown || isMessage(first)
    }
    default:
      return false
  }
}

function isConsoleReplaced(node: Node): boolean {
  if (node.type !== 'AssignmentExpression') return false
  const { type, object } = node.left as Node
  return type === 'MemberExpression' && nameOf(object) === 'console'
}

function nameOf(node: unknown): string {
  const { name } = (node ?? {}) as { readonly name?: unknown }
  return typeof name === 'string' ? name : ''
}
