import type { PayloadSegment } from '../shared/payload.ts'

/**
 * Names the segments of the URL from a layout down to the page in one of its slots.
 * @param owner the layout's segment
 * @param slot `children`, or a parallel route's name
 */
export function segmentLabels(owner: PayloadSegment, slot: string): string[] {
  let leaf = owner.slots?.[slot]
  if (!leaf) return []
  while (leaf.slots?.children) leaf = leaf.slots.children
  const { names, values } = readKey(leaf.key)
  const below = names.slice(readKey(owner.key).names.length)
  return below.filter((name) => !name.startsWith('@')).map((name) => values.get(name) ?? name)
}

// A key is written by the router: `/blog/[slug]:slug=hello#page`, each part percent-encoded.
function readKey(key: string): { names: string[]; values: Map<string, string> } {
  const [id = '', ...params] = key.replace(/#.*$/, '').split(':')
  const names = id.split('/').filter((name) => name !== '')
  const values = new Map<string, string>()
  for (const param of params) {
    const [name = '', value = ''] = param.split('=')
    for (const folder of [`[${name}]`, `[...${name}]`, `[[...${name}]]`]) {
      values.set(folder, value.split('/').map(decodeURIComponent).join('/'))
    }
  }
  return { names: names.map(decodeURIComponent), values }
}
