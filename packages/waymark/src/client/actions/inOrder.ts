const lastCalls = new Map<string, Promise<void>>()

/**
 * Runs calls to server actions one after another. Calls with the same key run in the order in which
 * this tab makes them. The next call runs even if the previous one fails.
 * @param key identifies the data that the calls change, such as the id of a board
 * @param call calls the server action
 * @returns the result of the call
 * @example inOrder(board.id, () => moveCard(card.id, column))
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
