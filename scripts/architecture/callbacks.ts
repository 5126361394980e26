import { reactRenderers } from './layers.ts'
import { type Node, walk } from './syntaxTree.ts'

/** A function that is passed to one of React's renderers or attached to an event emitter. */
export type Callback = {
  /** Name of the callback, such as `onError of renderToPipeableStream` or `close of res.once`. */
  readonly name: string
  readonly line: number
  /** True if the callback can't throw, because it is wrapped in `neverThrows` or has no body. */
  readonly isTotal: boolean
}

const wrapper = 'neverThrows'
const attaching: ReadonlySet<string> = new Set([
  'on',
  'once',
  'addListener',
  'prependListener',
  'addEventListener',
])

export function findCallbacks(
  body: readonly Node[],
  text: string,
  lineOf: (offset: number) => number,
): Callback[] {
  const callbacks: Callback[] = []
  const wrapped = wrappedNames(body)
  const add = (name: string, callback: Node) => {
    callbacks.push({ name, line: lineOf(callback.start), isTotal: isTotal(callback, wrapped) })
  }
  walk(body, (node) => {
    if (node.type !== 'CallExpression') return
    const callee = node.callee as Node
    const args = node.arguments as Node[]
    if (reactRenderers.includes(callee.name as string)) {
      for (const [name, option] of optionsOf(args)) add(`${name} of ${callee.name}`, option)
    }
    const method = callee.type === 'MemberExpression' ? (callee.property as Node).name : null
    const [event, listener] = args
    if (typeof method !== 'string' || !attaching.has(method) || !listener) return
    const called = text.slice(callee.start, callee.end).replaceAll('?', '')
    if (typeof event?.value === 'string') add(`${event.value} of ${called}`, listener)
  })
  return callbacks
}

/** Names of variables whose value is a wrapped function, as in `const onClose = neverThrows(…)`. */
function wrappedNames(body: readonly Node[]): ReadonlySet<string> {
  const names = new Set<string>()
  walk(body, (node) => {
    if (node.type !== 'VariableDeclaration' || node.kind !== 'const') return
    for (const { id, init } of node.declarations as { id: Node; init: Node | null }[]) {
      if (typeof id.name === 'string' && init && isWrapperCall(init)) names.add(id.name)
    }
  })
  return names
}

/**
 * Returns the functions among a renderer's options, by name. Options that are not written in the
 * call can't be checked, so the whole object counts as one callback with the name `options`.
 */
function optionsOf(args: readonly Node[]): [string, Node][] {
  const last = args.at(-1)
  if (args.length > 1 && last && last.type !== 'ObjectExpression') return [['options', last]]
  const options: [string, Node][] = []
  for (const object of args.filter(({ type }) => type === 'ObjectExpression')) {
    walk(object, (node) => {
      const spread = node.type === 'SpreadElement' ? (node.argument as Node) : null
      if (spread && /^(Identifier|MemberExpression)$/.test(spread.type)) {
        options.push(['options', spread])
      }
      const name = node.type === 'Property' ? (node.key as Node).name : null
      if (typeof name === 'string' && /^on[A-Z]/.test(name)) {
        options.push([name, node.value as Node])
      }
    })
  }
  return options
}

function isTotal(callback: Node, wrapped: ReadonlySet<string>): boolean {
  if (callback.type === 'Identifier') return wrapped.has(callback.name as string)
  return isWrapperCall(callback) || isEmptyFunction(callback)
}

function isWrapperCall({ type, callee }: Node): boolean {
  return type === 'CallExpression' && (callee as Node).name === wrapper
}

function isEmptyFunction({ type, body }: Node): boolean {
  const statements = type === 'ArrowFunctionExpression' ? (body as Node).body : null
  return Array.isArray(statements) && statements.length === 0
}
