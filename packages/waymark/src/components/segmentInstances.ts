import type { Payload, PayloadSegment } from '../shared/payload.ts'

/** The instances of a document's first page. */
export function initialInstances({ tree }: Payload): Record<string, string> {
  return Object.fromEntries(instanceKeysOf(tree).map((key) => [key, key]))
}

/** Tells which mounting of a segment a page shows; while rendered to HTML, there is only one. */
export function instanceOf(
  page: Payload & { readonly instances?: Readonly<Record<string, string>> },
  key: string,
): string {
  return page.instances?.[key] ?? key
}

/** Finds a mounted segment. */
export function findSegment(tree: PayloadSegment, key: string): PayloadSegment | null {
  if (tree.key === key) return tree
  for (const child of Object.values(tree.slots ?? {})) {
    const found = findSegment(child, key)
    if (found) return found
  }
  return null
}

/** The keys of all mounted segments. */
export function instanceKeysOf(tree: PayloadSegment): string[] {
  return [tree.key, ...Object.values(tree.slots ?? {}).flatMap(instanceKeysOf)]
}
