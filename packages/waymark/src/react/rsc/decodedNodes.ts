import { cloneElement, type ReactElement } from 'react'
import { isRecord } from '../../shared/maps.ts'
import { isThenable } from '../../shared/promises.ts'

/** A node of a decoded payload: React's decoder also returns nodes that have not arrived yet. */
export type SettledValue = 'pending' | { readonly value: unknown }

type Lazy = {
  readonly $$typeof: symbol
  readonly _payload: unknown
  readonly _init: (payload: unknown) => unknown
}

type Tracked = PromiseLike<unknown> & { readonly status?: string; readonly value?: unknown }

const lazyType = Symbol.for('react.lazy')

/**
 * Unwraps a node as far as it has arrived. A node that failed counts as empty, since its error was
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

/** Unwraps a node when it has arrived; throws what it failed with. */
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

// React reads a lazy node in this way: what is thrown is the promise of it, or its failure.
function readLazy({ _init, _payload }: Lazy): SettledValue {
  try {
    return { value: _init(_payload) }
  } catch (thrown) {
    return isThenable(thrown) ? 'pending' : { value: null }
  }
}

function readThenable(thenable: Tracked): SettledValue {
  // The decoder parses a row at the first `then`.
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
 * Copies an element with other props. Development React notes on an element that it may stand in a
 * list without a key: of a plain copy it would warn.
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
