type Person = { name: string; age: number }

const taken = new Set(['Grace'])

export async function isTaken(name: string): Promise<boolean> {
  return taken.has(name)
}

export async function save({ name }: Person, { signal }: { signal: AbortSignal }): Promise<void> {
  if (!signal.aborted) taken.add(name)
}
