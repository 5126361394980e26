/**
 * Messages that client components use: their keys, such as `cart.title` for a message and `cart` for
 * all messages of a group. `true` stands for all messages.
 */
export type UsedMessages = readonly string[] | true

/** The messages that the client components of route files use, by file below the app's root. */
export type UsedByFile = Readonly<Record<string, UsedMessages>>

/** A table of messages, and of groups of messages. */
export type MessageTable = { readonly [key: string]: unknown }

/** Returns the part of a table with some keys. */
export function pickMessages(table: MessageTable, used: UsedMessages): MessageTable {
  if (used === true) return table
  const picked: Record<string, unknown> = {}
  for (const key of used) {
    const names = key.split('.')
    const message = messageAt(table, key)
    if (message === undefined) continue
    let at = picked
    for (const name of names.slice(0, -1)) {
      const inner = isTable(at[name]) ? { ...at[name] } : {}
      at[name] = inner
      at = inner
    }
    const last = names.at(-1) as string
    at[last] = message
  }
  return picked
}

/** Returns a table with the messages of both. */
export function mergeMessages(first: MessageTable, second: MessageTable): MessageTable {
  const merged: Record<string, unknown> = { ...first }
  for (const [name, value] of Object.entries(second)) {
    const before = merged[name]
    merged[name] = isTable(before) && isTable(value) ? mergeMessages(before, value) : value
  }
  return merged
}

/** False for a compiled message, which is a string or an array. */
export function isTable(value: unknown): value is MessageTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the message or the group with a key, or `undefined` without one. */
export function messageAt(table: MessageTable, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>(
      (at, name) => (isTable(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      table,
    )
}
