type Person = { name: string; age: number }

export async function save(person: Person, { signal }: { signal: AbortSignal }): Promise<void> {
  if (!signal.aborted) console.log(person.name)
}
