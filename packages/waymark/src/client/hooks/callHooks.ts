/** Receives the same payload bytes as React. */
export type PayloadReader = {
  /** Called with each chunk after React has received it. Don't change the bytes. */
  chunk(bytes: Uint8Array): void
  /** Called once when the payload has arrived completely. */
  end?(): void
}

/** An entry in the generated module of a hook: a function of a package and its options. */
export type ListedHook<Hook> = {
  /**
   * Returns the package's function. In development, throws the error with which the package's module
   * failed, if any.
   */
  readonly load: () => Hook
  /** The package's `clientOptions`. */
  readonly options: object
}

/** Hooks that have failed in this document. */
const failed = new WeakSet<object>()

/**
 * Calls a package's function. If the function throws or rejects, reports the error and never calls
 * the function again in this document. Otherwise `onEvent` could fail in a loop, because a report
 * is an event, too.
 * @returns `undefined` if the hook has failed
 */
function callHook<Hook, Result>(
  hook: ListedHook<Hook>,
  call: (run: Hook, options: object) => Result,
): Result | undefined {
  if (failed.has(hook)) return undefined
  try {
    const result = call(hook.load(), hook.options)
    // TypeScript also accepts an async function for a hook that should return nothing.
    if (result instanceof Promise) result.catch((thrown) => fail(hook, thrown))
    return result
  } catch (thrown) {
    fail(hook, thrown)
    return undefined
  }
}

export type JoinedHooks<Args extends unknown[]> = (...args: Args) => void

/**
 * Joins several packages' functions for the same hook. Each function gets its package's options as
 * the last argument.
 */
export function joinHooks<Args extends unknown[]>(
  hooks: readonly ListedHook<(...args: [...Args, options: object]) => void>[],
): JoinedHooks<Args> {
  return (...args) => {
    for (const hook of hooks) callHook(hook, (run, options) => run(...args, options))
  }
}

/**
 * Wraps a hook that only one package has.
 * @returns a function that calls the hook, but returns `undefined` once the hook has failed
 */
export function onlyHook<Args extends unknown[], Result>(
  hook: ListedHook<(...args: [...Args, options: object]) => Result>,
): (...args: Args) => Result | undefined {
  return (...args) => callHook(hook, (run, options) => run(...args, options))
}

/** Lets packages read a payload's bytes on their way to React, but not change them. */
export function joinPayloadReaders(
  hooks: readonly ListedHook<(options: object) => PayloadReader>[],
): (stream: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array> {
  return (stream) => {
    const readers = hooks.map((hook) => ({
      hook,
      reader: callHook(hook, (create, options) => create(options)),
    }))
    return stream.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk)
          for (const { hook, reader } of readers) callHook(hook, () => reader?.chunk(chunk))
        },
        flush() {
          for (const { hook, reader } of readers) callHook(hook, () => reader?.end?.())
        },
      }),
    )
  }
}

/**
 * Imports a hook in development.
 * @returns a function that returns the hook, or throws the error with which the hook's module failed
 */
export async function importHook<Hook>(load: () => Promise<Hook>): Promise<() => Hook> {
  try {
    const hook = await load()
    return () => hook
  } catch (thrown) {
    return () => {
      throw thrown
    }
  }
}

function fail(hook: object, thrown: unknown): void {
  if (failed.has(hook)) return
  failed.add(hook)
  reportError(thrown)
}
