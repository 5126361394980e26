import { createFromReadableStream } from '@vitejs/plugin-rsc/rsc.node'
import { isValidElement, type ReactElement, type ReactNode, Suspense } from 'react'
import type { ByteChannel } from '../../http/stream.ts'
import { cloneChecked, settled, settledValue } from '../../react/rsc/decodedNodes.ts'
import type { HolePath, HoleStep, Payload } from '../../wire/payload.ts'

/**
 * Decodes a payload on the server. Client components remain references, so that the payload can be
 * encoded again.
 */
export function decodePayload(channel: Pick<ByteChannel, 'listen'>): Promise<Payload> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      channel.listen({
        piece: (piece) =>
          controller.enqueue(typeof piece === 'string' ? Buffer.from(piece) : piece),
        end: () => controller.close(),
        fail: (error) => controller.error(error),
      })
    },
  })
  return createFromReadableStream<Payload>(stream)
}

export function decodeOpenPayload(bytes: Uint8Array): Promise<Payload> {
  // Keep the stream open, because its end would make the pending parts fail.
  return decodePayload({ listen: (listener) => listener.piece(bytes) })
}

export type PayloadHoles = {
  /** Paths to the contents of Suspense boundaries. Each can be filled separately. */
  readonly holes: readonly HolePath[]
  /** True if a part outside of `Suspense` is also pending, so that no document can be sent. */
  readonly isOpen: boolean
}

type Element = ReactElement<Record<string, unknown>>

/**
 * Finds the holes in a shell's payload.
 * @param isLoading returns true for segments inside the Suspense boundary of a `loading` file
 */
export function findHoles(payload: Payload, isLoading: (key: string) => boolean): PayloadHoles {
  const holes: HolePath[] = []
  const searched = new Set<unknown>()
  let isOpen = headIsPending(payload.head, holes, searched)
  for (const [key, node] of Object.entries(payload.segments)) {
    const path = ['segments', key]
    const inside: HolePath[] = []
    if (!isPending(node, path, inside, searched)) holes.push(...inside)
    else if (isLoading(key)) holes.push(path)
    else isOpen = true
  }
  return { holes, isOpen }
}

// True if the head is pending outside of a `StreamedHead`. In a shell, a `StreamedHead` shows its `initialTags`, and
// its children are a hole.
function headIsPending(head: unknown, holes: HolePath[], searched: Set<unknown>): boolean {
  const now = settledValue(head)
  if (now === 'pending' || !isElement(now.value)) return isPending(head, ['head'], holes, searched)
  const { children, initialTags } = now.value.props
  if (isPending(children, streamedHeadPath, [], searched)) holes.push(streamedHeadPath)
  return isPending(initialTags, ['head', 'initialTags'], holes, searched)
}

const streamedHeadPath: HolePath = ['head', 'children']

export function sourceOf(path: HolePath): HolePath {
  return path[0] === 'head' ? ['head'] : path
}

/**
 * True if a node has a pending part outside of its `Suspense` boundaries.
 * @param holes list that collects the pending boundaries
 * @param searched values that were already visited, because data may be circular
 */
function isPending(
  node: unknown,
  path: HolePath,
  holes: HolePath[],
  searched: Set<unknown>,
): boolean {
  const now = settledValue(node)
  if (now === 'pending') return true
  const { value } = now
  if (typeof value !== 'object' || searched.has(value)) return false
  searched.add(value)
  const { length } = holes
  const waits = waitsInside(value, path, holes, searched)
  if (waits || holes.length > length) searched.delete(value)
  return waits
}

function waitsInside(
  value: unknown,
  path: HolePath,
  holes: HolePath[],
  searched: Set<unknown>,
): boolean {
  if (value instanceof Map || value instanceof Set) {
    // No path can lead into a Map or a Set, so holes inside them don't count as holes.
    const inside: HolePath[] = []
    return isPending([...value.values()], path, inside, searched) || inside.length > 0
  }
  const waiting = childrenOf(value).map(([step, child]) => {
    const childPath = [...path, step]
    if (step !== 'children' || !isBoundary(value)) {
      return isPending(child, childPath, holes, searched)
    }
    // A pending boundary is one hole, so ignore the holes inside it.
    const inside: HolePath[] = []
    holes.push(...(isPending(child, childPath, inside, searched) ? [childPath] : inside))
    return false
  })
  return waiting.includes(true)
}

function childrenOf(value: unknown): (readonly [HoleStep, unknown])[] {
  if (Array.isArray(value)) return value.map((child, index) => [stepTo(child, index), child])
  const record = isElement(value) ? value.props : value
  return isRecord(record) ? Object.entries(record) : []
}

/** Returns a copy of the payload with nodes in its holes. */
export function fillHoles(
  payload: Payload,
  holes: readonly HolePath[],
  contentOf: (path: HolePath) => ReactNode,
): Payload {
  return holes.reduce<Payload>(
    (filled, path) => replaced(filled, path, contentOf(path)) as Payload,
    payload,
  )
}

function replaced(node: unknown, [step, ...rest]: HolePath, content: ReactNode): unknown {
  if (step === undefined) return content
  const now = settledValue(node)
  if (now === 'pending') throw new Error('A hole is inside of another hole.')
  const { value } = now
  if (Array.isArray(value)) {
    const at = indexOf(value, step)
    return value.with(at, replaced(value[at], rest, content))
  }
  const name = String(step)
  if (isElement(value)) {
    return cloneChecked(value, { [name]: replaced(value.props[name], rest, content) })
  }
  const record = value as Readonly<Record<string, unknown>>
  return { ...record, [name]: replaced(record[name], rest, content) }
}

/**
 * Follows a path into a payload that is still arriving.
 * @returns the node, which may be pending; `null` if the payload's shape differs from the shell's
 */
export async function nodeAt(payload: Payload, path: HolePath): Promise<{ node: unknown } | null> {
  let node: unknown = payload
  for (const [at, step] of path.entries()) {
    const value = await settled(node)
    // True if the path ends inside a boundary. A hole is always a boundary's children; anything
    // else doesn't match the shell.
    const isInBoundary = at === path.length - 1 && path[0] === 'segments' && path.length > 2
    if (isInBoundary && !isBoundary(value)) return null
    const next = await childAt(value, step)
    if (next === null) return null
    node = next.node
  }
  return { node }
}

async function childAt(value: unknown, step: HoleStep): Promise<{ node: unknown } | null> {
  if (Array.isArray(value)) {
    if (typeof step === 'object') await Promise.all(value.map(settled))
    const at = indexOf(value, step)
    return at in value ? { node: value[at] } : null
  }
  if (typeof step !== 'string') return null
  const record = isElement(value) ? value.props : value
  return isRecord(record) && step in record ? { node: record[step] } : null
}

// Returns the step to a child: its key if it has one, because a list item may move after the shell
// was rendered.
function stepTo(child: unknown, index: number): HoleStep {
  const key = keyOf(child)
  return key === null ? index : { key }
}

function keyOf(node: unknown): string | null {
  const now = settledValue(node)
  return now !== 'pending' && isElement(now.value) ? now.value.key : null
}

function indexOf(values: readonly unknown[], step: HoleStep): number {
  if (typeof step === 'number') return step
  if (typeof step === 'string') return -1
  return values.findIndex((value) => keyOf(value) === step.key)
}

function isBoundary(value: unknown): boolean {
  // React's types declare Suspense as a component, although it is a symbol.
  return isElement(value) && (value.type as unknown) === Suspense
}

function isElement(value: unknown): value is Element {
  return isValidElement(value)
}

// True for a plain object. Flight's records have no class, so an object with a class isn't part of
// the tree.
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
