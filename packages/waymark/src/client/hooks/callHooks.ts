/** Receives the bytes of one payload, as React does. */
export type PayloadReader = {
  /** Gets each chunk after React has got it. The bytes must not be changed. */
  chunk(bytes: Uint8Array): void
  /** Called at the end of a payload that has arrived whole. */
  end?(): void
}

/** A function of a package, as the generated module of a hook lists it. */
export type ListedHook<Hook> = {
  /** In development, throws what the package's module threw when it was imported. */
  readonly load: () => Hook
  /** `clientOptions` of the package. */
  readonly options: object
}

/** Hooks that threw in this document. */
const failed = new WeakSet<object>()

/**
 * Calls the function of a package. One that throws or rejects is reported once, as an uncaught error,
 * and never called again in this document: a report is an event, which would call `onEvent` again.
 * @returns `undefined` for a hook that has failed
 */
function callHook<Hook, Result>(
  hook: ListedHook<Hook>,
  call: (run: Hook, options: object) => Result,
): Result | undefined {
  if (failed.has(hook)) return undefined
  try {
    const result = call(hook.load(), hook.options)
    // An async function is assignable to a hook that returns nothing.
    if (result instanceof Promise) result.catch((thrown) => fail(hook, thrown))
    return result
  } catch (thrown) {
    fail(hook, thrown)
    return undefined
  }
}

/** A hook that several packages may have: calling it calls the function of each. */
export type JoinedHooks<Args extends unknown[]> = (...args: Args) => void

/** Joins the functions that packages have for a hook, each of which gets its package's options last. */
export function joinHooks<Args extends unknown[]>(
  hooks: readonly ListedHook<(...args: [...Args, options: object]) => void>[],
): JoinedHooks<Args> {
  return (...args) => {
    for (const hook of hooks) callHook(hook, (run, options) => run(...args, options))
  }
}

/** @returns calls the function of the only package that has a hook; gives `undefined` once it has failed */
export function onlyHook<Args extends unknown[], Result>(
  hook: ListedHook<(...args: [...Args, options: object]) => Result>,
): (...args: Args) => Result | undefined {
  return (...args) => callHook(hook, (run, options) => run(...args, options))
}

/** Lets packages read the bytes of a payload on their way to React, which no package can change. */
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
 * Imports a hook, in development.
 * @returns gives the function, or throws what its module has thrown
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
