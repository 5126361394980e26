/** Lists modules, and all modules that they reach. @param nextOf the next modules after one */
export function reach(
  starts: readonly string[],
  nextOf: (id: string) => readonly string[],
): string[] {
  const found = new Set<string>()
  const waiting = [...starts]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue
    found.add(next)
    waiting.push(...nextOf(next))
  }
  return [...found]
}
