// What `json` and `formData` threw of a body that was still whole.
const failures = new WeakSet<object>()

const methods = ['json', 'formData'] as const

/**
 * Remembers why a request's body could not be read, so that a client's broken body is not taken
 * for a failure of the handler that asked for it.
 * @returns the same request
 */
export function watchBody(request: Request): Request {
  for (const method of methods) {
    const read = request[method]
    const value = async () => {
      // Reading it twice is a mistake of the app.
      const isWhole = !request.bodyUsed
      try {
        return await read.call(request)
      } catch (thrown) {
        if (isWhole && typeof thrown === 'object' && thrown !== null) failures.add(thrown)
        throw thrown
      }
    }
    Object.defineProperty(request, method, { value, configurable: true })
  }
  return request
}

/** Tells whether a thrown value says that a request's body could not be read. */
export function isUnreadableBody(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && failures.has(thrown)
}
