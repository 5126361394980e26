/** What a browser tells of a thrown value. */
export type ThrownText = {
  readonly name: string
  readonly message: string
  readonly stack: string | null
}

const limits = { name: 100, message: 2_000, stack: 6_000 }

/** Describes a thrown value, whatever it is: reading a property of it may throw. */
export function describeThrown(thrown: unknown): ThrownText {
  const [name, message, stack] = ['name', 'message', 'stack'].map((key) => textOf(thrown, key))
  return {
    name: (name || typeof thrown).slice(0, limits.name),
    message: (message ?? plainText(thrown)).slice(0, limits.message),
    stack: stack?.slice(-limits.stack) ?? null,
  }
}

function textOf(thrown: unknown, key: string): string | undefined {
  try {
    const value = (thrown as Record<string, unknown>)[key]
    return typeof value === 'string' && typeof thrown === 'object' ? value : undefined
  } catch {
    // Null, undefined, or a getter that throws.
    return undefined
  }
}

function plainText(thrown: unknown): string {
  if (typeof thrown === 'object' || typeof thrown === 'function') return ''
  return String(thrown)
}
