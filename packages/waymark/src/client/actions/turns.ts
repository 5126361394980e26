/** A call's place among those of the same action. */
export type CallPosition = {
  /** Its own name, and those of the calls before it that are under way. */
  readonly header: string
  end(): void
}

/** Names the calls of a document, so that the server knows which was made first. */
export type CallOrder = {
  /** To be called when the call is made, before anything is waited for. */
  take(actionId: string): CallPosition
}

// As many as the server reads.
const maxEarlier = 20

/** Makes them. @param documentName random, 6 characters or more, `\w` and `-` */
export function createCallOrder(documentName: string): CallOrder {
  const pending = new Map<string, Set<string>>()
  let count = 0
  return {
    take(actionId) {
      const calls = pending.get(actionId) ?? new Set<string>()
      pending.set(actionId, calls)
      const own = `${documentName}-${count++}`
      const header = [own, ...[...calls].slice(-maxEarlier)].join(' ')
      calls.add(own)
      return {
        header,
        end() {
          calls.delete(own)
          if (calls.size === 0) pending.delete(actionId)
        },
      }
    },
  }
}
