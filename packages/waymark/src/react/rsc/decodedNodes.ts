import { cloneElement, type ReactElement } from 'react'
import { isRecord } from '../../shared/maps.ts'
import { isThenable } from '../../shared/promises.ts'

/**
 * Value of a node in a decoded payload. React's decoder also returns nodes that haven't arrived
 * yet.
 */
export type SettledValue = 'pending' | { readonly value: unknown }

type Lazy = {
  readonly $$typeof: symbol
  readonly _payload: unknown
  readonly _init: (payload: unknown) => unknown
}

type Tracked = PromiseLike<unknown> & { readonly status?: string; readonly value?: unknown }

const lazyType = Symbol.for('react.lazy')

/**
 * Unwraps a node without waiting. A failed node counts as empty, because its error has already been
 * reported. A node that can be read only once counts as pending.
 */
export function settledValue(node: unknown): SettledValue {
  let value = node
  while (isLazy(value) || isThenable(value)) {
    const read = isLazy(value) ? readLazy(value) : readThenable(value)
    if (read === 'pending') return read
    value = read.value
  }
  return isReadOnce(value) ? 'pending' : { value }
}

/** Waits for a node and unwraps it. Throws a failed node's error. */
export async function settled(node: unknown): Promise<unknown> {
  let value = node
  for (;;) {
    if (isLazy(value)) {
      try {
        value = value._init(value._payload)
      } catch (thrown) {
        if (!isThenable(thrown)) throw thrown
        await thrown
      }
    } else if (isThenable(value)) value = await value
    else return value
  }
}

function isLazy(value: unknown): value is Lazy {
  return isRecord(value) && (value as Partial<Lazy>).$$typeof === lazyType
}

// Reads a lazy node as React does. A pending one throws a promise, and a failed one throws its
// error.
function readLazy({ _init, _payload }: Lazy): SettledValue {
  try {
    return { value: _init(_payload) }
  } catch (thrown) {
    return isThenable(thrown) ? 'pending' : { value: null }
  }
}

function readThenable(thenable: Tracked): SettledValue {
  // React's decoder only parses a row when `then` is called.
  thenable.then(
    () => {},
    () => {},
  )
  if (thenable.status === 'rejected') return { value: null }
  return thenable.status === 'fulfilled' ? { value: thenable.value } : 'pending'
}

function isReadOnce(value: unknown): boolean {
  return isRecord(value) && (Symbol.asyncIterator in value || value instanceof ReadableStream)
}

type Checked = ReactElement & { readonly _store?: { validated: number } }

/**
 * Copies an element with different props. In development, React marks elements that need no key in
 * a list. Copies this mark, too, so that React doesn't warn about the copy.
 */
export function cloneChecked<E extends ReactElement>(
  element: E,
  props: Record<string, unknown>,
): E {
  const clone = cloneElement(element as ReactElement, props) as E
  const [from, to] = [element, clone].map((each) => (each as Checked)._store)
  if (from && to) to.validated = from.validated
  return clone
}
