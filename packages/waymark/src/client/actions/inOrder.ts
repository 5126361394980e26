const lastCalls = new Map<string, Promise<void>>()

/**
 * Calls server actions one after another: those of one key, in the order in which this tab makes
 * them. One that fails holds up none of the others.
 * @param key names what the calls change, such as the id of a board
 * @returns the call's own result
 */
export function inOrder<Result>(
  key: string,
  call: () => Result | Promise<Result>,
): Promise<Result> {
  const result = (lastCalls.get(key) ?? Promise.resolve()).then(call)
  const forget = () => {
    if (lastCalls.get(key) === ended) lastCalls.delete(key)
  }
  const ended = result.then(forget, forget)
  lastCalls.set(key, ended)
  return result
}
