/** Names of the changes to other packages' text, as `src/react/README.md` lists them. */
export type PatchId = 'dev-references' | 'node-react'

/** Replacements in one text: each has to be possible. */
export type Changes = readonly (readonly [text: RegExp, replacement: string])[]

// Each render has references of its own.
const rememberedReferences = 1_000

/** Bounds plugin-rsc's memory of client references: an entry of each render holds its request. */
export const boundReferences: Changes = [
  [/fn\.call\(this, argument\)/, 'outsideOfRequests(() => fn.call(this, argument))'],
  [
    /cache\.set\(argument, newValue\);/,
    `$& if (cache.size > ${rememberedReferences}) cache.delete(cache.keys().next().value);`,
  ],
  [
    /^/,
    `import { AsyncLocalStorage as RequestStorage } from 'node:async_hooks'
const outsideOfRequests = RequestStorage.snapshot()
`,
  ],
]

/** @returns `null` when the text is not the one that the changes were written for */
export function applyChanges(code: string, changes: Changes): string | null {
  let text = code
  for (const [pattern, replacement] of changes) {
    // Not `test`: with the flag g it would remember where it was.
    if (text.search(pattern) === -1) return null
    text = text.replace(pattern, replacement)
  }
  return text
}
