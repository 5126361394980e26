import { cookies } from 'waymark/server'

const visitorCookie = 'lab-visitor'
const longest = 5
const maxVisitors = 1000

export type Item = { readonly id: string; readonly text: string }

/** Lists by visitor, in the memory of this process. The least recently changed list is first. */
const lists = new Map<string, readonly Item[]>()

export async function readList(): Promise<readonly Item[]> {
  return lists.get((await cookies()).get(visitorCookie)?.value ?? '') ?? []
}

/** Adds an entry to the visitor's list, and creates the list if needed. */
export async function addToList(text: string): Promise<void> {
  const jar = await cookies()
  const visitor = jar.get(visitorCookie)?.value ?? crypto.randomUUID()
  jar.set(visitorCookie, visitor, { maxAge: 86_400, httpOnly: true })
  const list = [...(lists.get(visitor) ?? []), { id: crypto.randomUUID(), text }].slice(-longest)
  lists.delete(visitor)
  lists.set(visitor, list)
  const [oldest] = lists.keys()
  if (lists.size > maxVisitors && oldest !== undefined) lists.delete(oldest)
}
