/** An argument of a command. */
export type RedisArgument = string | Buffer

/** Hears what is published on a channel. */
export type RedisListener = (message: string) => void

/** What is used of the official client, for one server and for a cluster. */
export type RedisClient = {
  /** Connects; asked while Redis is not known to be there. Rejects unless it can be used now. */
  reach(): Promise<unknown>
  /** Sends a command to the server that holds a key. Texts come back as bytes. */
  send(key: string, args: readonly RedisArgument[]): Promise<unknown>
  /** Listens from then on, over all connections; `reach` has been called before. */
  subscribe(channel: string, listener: RedisListener): Promise<unknown>
  /** Hears of lost connections. */
  onLost(listener: (error: unknown) => void): void
  /** Tells what a server answered, of this command, from a connection or server that failed. */
  isRefusal(error: unknown): boolean
  destroy(): void
}

/** The `redis` package. */
export type RedisModule = typeof import('redis')

/** How long a connection may take to be made. */
export const connectTimeoutMs = 2_000

/** What can't be sent now is not wanted later: its reader has been answered otherwise by then. */
export const offlineQueueOff = { disableOfflineQueue: true } as const

// Said by a server that lives and can't serve: it is loading, or its cluster is not whole.
const unusable = /^(?:LOADING|CLUSTERDOWN|MASTERDOWN)\b/

/** Tells the refusal of a command from all else that can go wrong. */
export function isErrorReply({ ErrorReply }: RedisModule, error: unknown): boolean {
  return error instanceof ErrorReply && !unusable.test(error.message)
}
