import type { Plugin } from 'vite'

// Maximum number of cached references. Each render in the dev server creates new ones.
const mostReferences = 1_000

/**
 * Limits plugin-rsc's cache of loaded references in the dev server. Each render adds entries that
 * are never removed, and each entry keeps its request's async context in memory. plugin-rsc has no
 * option for this.
 * @see docs/upstream/plugin-rsc-dev-references/report.md
 */
export function devReferencesPlugin(): Plugin {
  return {
    name: 'waymark:dev-references',
    apply: 'serve',
    applyToEnvironment: ({ config }) => config.consumer === 'server',
    transform: {
      filter: { id: /\/@vitejs\/plugin-rsc\/dist\/shared-/, code: /function memoize/ },
      handler(code) {
        const changed = boundReferences(code)
        if (changed !== null) return { code: changed, map: null }
        this.environment.config.logger.warnOnce(skipped)
        return null
      },
    },
  }
}

const skipped =
  'Waymark skipped "dev-references": this version of @vitejs/plugin-rsc has unexpected code. The dev server will use more memory with each edit. Nothing else changes.'

/** Replacements in plugin-rsc's code. If one pattern doesn't match, nothing is replaced. */
const changes: readonly (readonly [text: RegExp, replacement: string])[] = [
  [/fn\.call\(this, argument\)/, 'outsideOfRequests(() => fn.call(this, argument))'],
  [
    /cache\.set\(argument, newValue\);/,
    `$& if (cache.size > ${mostReferences}) cache.delete(cache.keys().next().value);`,
  ],
  [
    /^/,
    `import { AsyncLocalStorage as RequestStorage } from 'node:async_hooks'
const outsideOfRequests = RequestStorage.snapshot()
`,
  ],
]

/** @returns `null` for a version of the code that the replacements weren't written for */
export function boundReferences(code: string): string | null {
  let text = code
  for (const [pattern, replacement] of changes) {
    if (!pattern.test(text)) return null
    text = text.replace(pattern, replacement)
  }
  return text
}
